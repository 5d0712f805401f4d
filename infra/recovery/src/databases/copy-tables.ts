import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Database, withConnection } from 'local/databases';
import type { ReservedSql, TransactionSql } from 'postgres';
import { type DatabaseBackup, storeFile, type Table } from '../manifest.ts';
import { RecoveryError } from '../recovery-error.ts';
import { describeSequences, describeTables, listMigrations, quote } from './describe-database.ts';
import { migrateTo } from './known-migrations.ts';

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

/**
 * Restores a database: applies the migrations that the backup had, fills the tables in one transaction, and then applies the
 * later migrations of this version. `url` is the URL of the owner role.
 */
export async function loadDatabase(url: string, name: Database, backup: DatabaseBackup, folder: string) {
  await migrateTo(url, name, backup.migrations.length);
  await withConnection(url, (sql) => sql.begin((tx) => fill(tx, name, backup, folder)));
  await migrateTo(url, name);
}

async function fill(tx: TransactionSql, name: Database, { tables, sequences }: DatabaseBackup, folder: string) {
  const names = tables.map((table) => quote(table.name));
  await tx.unsafe(`truncate ${names.join(', ')}`);
  // The backup already contains the effects of the triggers.
  for (const table of names) await tx.unsafe(`alter table ${table} disable trigger user`);
  for (const table of tables) await fillTable(tx, name, table, folder);
  for (const table of names) await tx.unsafe(`alter table ${table} enable trigger user`);
  for (const { name: sequence, lastValue, isCalled } of sequences)
    await tx`select setval(${quote(sequence)}::regclass, ${lastValue}::bigint, ${isCalled})`;
}

async function fillTable(tx: TransactionSql, name: Database, table: Table, folder: string) {
  const copy = `copy ${quote(table.name)} (${table.columns.map(quote).join(', ')}) from stdin`;
  await pipeline(createReadStream(join(folder, table.file.path)), await tx.unsafe(copy).writable());
  const [counted] = await tx.unsafe(`select count(*) as rows from ${quote(table.name)}`);
  if (Number(counted?.rows) !== table.rows)
    throw new RecoveryError(`${name}: ${table.name} has ${counted?.rows} rows instead of ${table.rows}`);
}
