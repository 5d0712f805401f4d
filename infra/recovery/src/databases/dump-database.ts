import { join } from 'node:path';
import type { ReservedSql } from 'postgres';
import type { DatabaseBackup, Table } from '../manifest.ts';
import { storeFile } from '../stored-files.ts';
import { describeSequences, describeTables, listMigrations, quote } from './describe-database.ts';

/** Writes every table of a snapshot in the format of COPY to files in `path`. */
export async function dumpDatabase(snapshot: ReservedSql, folder: string, path: string): Promise<DatabaseBackup> {
  const tables: Table[] = [];
  for (const { name, columns } of await describeTables(snapshot)) {
    const [counted] = await snapshot.unsafe(`select count(*) as rows from ${quote(name)}`);
    const copy = `copy ${quote(name)} (${columns.map(quote).join(', ')}) to stdout`;
    const lines = await snapshot.unsafe(copy).readable();
    const file = await storeFile(folder, join(path, `${name}.copy`), lines);
    // The driver pauses its socket while the stream is full, and does not resume it when the stream has ended.
    lines._read(0);
    tables.push({ name, columns, rows: Number(counted?.rows), file });
  }
  return { migrations: await listMigrations(snapshot), tables, sequences: await describeSequences(snapshot) };
}
