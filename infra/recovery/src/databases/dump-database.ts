import { join } from 'node:path';
import type { ReservedSql } from 'postgres';
import type { DatabaseBackup, Table } from '../manifest.ts';
import { storeFile } from '../stored-files.ts';
import { describeSequences, describeTables, listMigrations, quote } from './describe-database.ts';

/** Writes every table of a database as it is in the snapshot, in the format of COPY, below `place`. */
export async function dumpDatabase(snapshot: ReservedSql, folder: string, place: string): Promise<DatabaseBackup> {
  const tables: Table[] = [];
  for (const { name, columns } of await describeTables(snapshot)) {
    const [counted] = await snapshot.unsafe(`select count(*) as rows from ${quote(name)}`);
    const copy = `copy ${quote(name)} (${columns.map(quote).join(', ')}) to stdout`;
    const lines = await snapshot.unsafe(copy).readable();
    const file = await storeFile(folder, join(place, `${name}.copy`), lines);
    // The driver stops reading its socket while the stream is full, and nothing makes it go on once the stream has ended.
    lines._read(0);
    tables.push({ name, columns, rows: Number(counted?.rows), file });
  }
  return { migrations: await listMigrations(snapshot), tables, sequences: await describeSequences(snapshot) };
}
