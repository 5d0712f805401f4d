import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Database } from './connect.ts';

interface Migration {
  tag: string;
  /** Epoch milliseconds; drizzle stores it in the database. */
  when: number;
}

// SQLSTATE undefined_table.
const undefinedTable = '42P01';

/**
 * Returns a check that rejects while the database is unreachable or lacks a migration of the folder. A database that is
 * ahead passes, because the previous version runs on it during a rollout.
 */
export function checkSchema({ sql }: Pick<Database, 'sql'>, migrationsFolder: string): () => Promise<void> {
  const journal = readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8');
  const entries: Migration[] = JSON.parse(journal).entries;
  return async () => {
    const [row] = await sql`select max(created_at) as latest from drizzle.__drizzle_migrations`.catch(noneIfUnmigrated);
    const missing = entries.filter(({ when }) => when > Number(row?.latest ?? 0));
    if (missing.length > 0) throw new Error(describe(missing));
  };
}

function noneIfUnmigrated(error: unknown): { latest: null }[] {
  if (error instanceof postgres.PostgresError && error.code === undefinedTable) return [];
  throw error;
}

const describe = (missing: Migration[]) =>
  `the database lacks ${missing.length} migration${missing.length === 1 ? '' : 's'}: ${missing.map(({ tag }) => tag).join(', ')}`;
