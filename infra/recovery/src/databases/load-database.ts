import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from 'local/databases';
import postgres, { type TransactionSql } from 'postgres';
import type { DatabaseBackup, Table } from '../manifest.ts';
import { RecoveryError } from '../recovery-error.ts';
import { quote } from './describe-database.ts';
import { migrateTo } from './known-migrations.ts';

/**
 * Restores a database: applies the migrations that the backup had, fills the tables in one transaction, and then applies the
 * later migrations of this version. `url` is the URL of the owner role.
 */
export async function loadDatabase(url: string, name: Database, backup: DatabaseBackup, folder: string) {
  await migrateTo(url, name, backup.migrations.length);
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await sql.begin((tx) => fill(tx, name, backup, folder));
  } finally {
    await sql.end({ timeout: 5 });
  }
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
