import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@lms/database/migrate-database';
import type { Database } from 'local/databases';
import { migrationsOf } from '../src/databases.ts';

/** Applies the first `count` migrations to a database. */
export async function migrateTo(url: string, name: Database, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lms-migrations-'));
  try {
    await cp(migrationsOf(name), folder, { recursive: true });
    const journal = join(folder, 'meta/_journal.json');
    const { entries } = JSON.parse(await readFile(journal, 'utf8'));
    await writeFile(journal, JSON.stringify({ entries: entries.slice(0, count) }));
    await migrateDatabase(url, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
