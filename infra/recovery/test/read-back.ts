import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { listTables } from '../src/databases.ts';

/** Reads the rows of each table, sorted, the sequences and the migrations. */
export async function readDatabase(url: string) {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    const tables: Record<string, string[]> = {};
    for (const name of await listTables(sql)) {
      const rows = await sql`select t::text as row from ${sql(name)} t`;
      tables[name] = rows.map(({ row }) => String(row)).sort();
    }
    const sequences = await sql`
      select sequencename, last_value from pg_sequences where schemaname = 'public' order by sequencename`;
    const migrations = await sql`select hash, created_at from drizzle.__drizzle_migrations order by created_at`;
    return { tables, sequences: [...sequences], migrations: [...migrations] };
  } finally {
    await sql.end();
  }
}

/** Returns the SHA-256 of each file in a folder. */
export const readFiles = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(folder.length), createHash('sha256').update(readFileSync(file)).digest('hex')])
      .sort(),
  );
