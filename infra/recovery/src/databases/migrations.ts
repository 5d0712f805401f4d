import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@lms/database/migrate-database';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Database } from 'local/databases';
import { root } from 'local/processes/node-process';
import type { Sql } from 'postgres';
import type { Migration } from '../manifest.ts';

const Journal = Type.Object({ entries: Type.Array(Type.Object({ tag: Type.String(), when: Type.Integer() })) });

const journalFile = 'meta/_journal.json';

const folderOf = (name: Database) => join(root, 'services', name, 'migrations');

/** The migrations of this version of the code, in their order. */
export async function knownMigrations(name: Database): Promise<Migration[]> {
  const { entries } = await readJournal(name);
  return Promise.all(
    entries.map(async ({ tag, when }) => {
      const text = await readFile(join(folderOf(name), `${tag}.sql`), 'utf8');
      return { hash: createHash('sha256').update(text).digest('hex'), createdAt: when };
    }),
  );
}

async function readJournal(name: Database) {
  return Value.Parse(Journal, JSON.parse(await readFile(join(folderOf(name), journalFile), 'utf8')));
}

/** Applies the first `count` migrations to a database, or all. */
export async function migrateTo(url: string, name: Database, count?: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lms-migrations-'));
  try {
    const { entries } = await readJournal(name);
    await cp(folderOf(name), folder, { recursive: true });
    await writeFile(join(folder, journalFile), JSON.stringify({ entries: entries.slice(0, count) }));
    await migrateDatabase(url, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the applied migrations of a database. */
export async function listMigrations(sql: Sql): Promise<Migration[]> {
  const [row] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (row?.exists !== true) return [];
  const rows = await sql<{ hash: string; createdAt: string }[]>`
    select hash, created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }));
}
