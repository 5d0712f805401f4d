import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { listMigrations } from '../src/databases/migrations.ts';
import { describeSequences, describeTables, quote } from '../src/databases/tables.ts';

/** Reads the rows of each table, sorted, the sequences and the migrations. */
export async function readDatabase(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const tables: Record<string, string[]> = {};
    for (const { name } of await describeTables(sql)) {
      const rows = await sql.unsafe(`select t::text as row from ${quote(name)} t`);
      tables[name] = rows.map(({ row }) => String(row)).sort();
    }
    return { tables, sequences: await describeSequences(sql), migrations: await listMigrations(sql) };
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
