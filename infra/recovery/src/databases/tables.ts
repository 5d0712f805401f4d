import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Database, withConnection } from 'local/databases';
import type { ReservedSql, Sql, TransactionSql } from 'postgres';
import { type DatabaseBackup, RecoveryError, type Sequence, storeFile, type Table } from '../manifest.ts';
import { listMigrations, migrateTo } from './migrations.ts';

interface TableColumns {
  name: string;
  columns: string[];
}

export const isMissingDatabase = (error: unknown) => Object(error).code === '3D000';

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Returns the tables with their columns, except generated ones. Referenced tables come before those that refer to them. */
export async function describeTables(sql: Sql): Promise<TableColumns[]> {
  const tables = await sql<(TableColumns & { isCircular: boolean })[]>`
    with recursive paths as (
      select oid, 0 as length from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      union select conrelid, length + 1 from paths join pg_constraint on contype = 'f' and confrelid = paths.oid
      where conrelid <> confrelid
    ) cycle oid set is_circular using path,
    longest as (select oid, max(length) as length, bool_or(is_circular) as is_circular from paths group by oid)
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns, is_circular as "isCircular"
    from longest join pg_class c using (oid) join pg_attribute a on a.attrelid = oid
    where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname, length, is_circular order by length, c.relname`;
  if (tables.some(({ isCircular }) => isCircular)) throw new RecoveryError('tables have circular references');
  return tables.map(({ name, columns }) => ({ name, columns }));
}

export async function describeSequences(sql: Sql): Promise<Sequence[]> {
  const names = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace order by relname`;
  const sequences: Sequence[] = [];
  for (const { name } of names) {
    const [row] = await sql.unsafe(`select last_value::text as "lastValue", is_called from ${quote(name)}`);
    if (row) sequences.push({ name, lastValue: String(row.lastValue), isCalled: row.is_called === true });
  }
  return sequences;
}

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

/** Drops what the migrations have created, but neither the schema with its privileges nor extensions. */
const dropAll = `
  do $$ begin
    execute (
      select string_agg(format('drop %s if exists %s cascade;', type, identity), '')
      from pg_depend d, pg_identify_object(classid, objid, 0)
      where refclassid = 'pg_namespace'::regclass and refobjid = 'public'::regnamespace and deptype = 'n'
        and classid <> 'pg_extension'::regclass and not exists (
          select from pg_depend o where o.classid = d.classid and o.objid = d.objid and o.deptype in ('e', 'i')));
    drop schema drizzle cascade;
  end $$`;

/**
 * Restores a database: applies the migrations that the backup had, fills the tables in one transaction, and then applies the
 * later migrations of this version. A database with later migrations than the backup begins again. `url` is that of the owner role.
 */
export async function loadDatabase(url: string, name: Database, backup: DatabaseBackup, folder: string) {
  await withConnection(url, async (sql) => {
    if ((await listMigrations(sql)).length > backup.migrations.length) await sql.unsafe(dropAll);
  });
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
