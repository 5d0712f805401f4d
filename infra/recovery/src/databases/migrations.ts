import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@lms/database/migrate-database';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Database } from 'local/databases';
import { root } from 'local/processes/node-process';
import type { Sql } from 'postgres';
import type { Migration } from '../manifest.ts';

const folderOf = (name: Database) => join(root, 'services', name, 'migrations');

/** The migrations of this version of the code, in their order. */
export const knownMigrations = (name: Database): Migration[] =>
  readMigrationFiles({ migrationsFolder: folderOf(name) }).map(({ hash, folderMillis }) => ({
    hash,
    createdAt: folderMillis,
  }));

/** Applies the first `count` migrations to a database, or all. */
export async function migrateTo(url: string, name: Database, count?: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lms-migrations-'));
  try {
    await cp(folderOf(name), folder, { recursive: true });
    const journal = join(folder, 'meta/_journal.json');
    const { entries } = JSON.parse(await readFile(journal, 'utf8'));
    await writeFile(journal, JSON.stringify({ entries: entries.slice(0, count) }));
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
