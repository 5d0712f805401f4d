import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '@lms/database/migrate-database';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { type Database, withConnection } from 'local/databases';
import { root } from 'local/process';
import type { Sql, TransactionSql } from 'postgres';
import { type ListedObject, type Manifest, RecoveryError, type Snapshot, type Store } from './manifest.ts';

/** Stores each table of a snapshot in the format of COPY. */
export async function dumpDatabase(snapshot: Sql, name: Database, store: Store): Promise<Snapshot> {
  for (const table of await listTables(snapshot)) {
    const lines = await snapshot`copy ${snapshot(table)} to stdout`.readable();
    await store(`databases/${name}/${table}.copy`, lines);
    // The driver pauses its socket while the stream is full, and does not resume it when the stream has ended.
    lines._read(0);
  }
  return {
    migrations: await snapshot`select hash from drizzle.__drizzle_migrations order by created_at`,
    sequences: await snapshot`
      select sequencename as name, last_value::text as "lastValue" from pg_sequences where schemaname = 'public'`,
  };
}

/** Returns the tables. Referenced tables come before those that refer to them. */
export async function listTables(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string; isCircular: boolean }[]>`
    with recursive paths as (
      select oid, 0 as length from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      union select conrelid, length + 1 from paths join pg_constraint on contype = 'f' and confrelid = paths.oid
      where conrelid <> confrelid
    ) cycle oid set is_circular using path
    select relname as name, bool_or(is_circular) as "isCircular" from paths join pg_class using (oid)
    group by relname order by max(length), relname`;
  if (tables.some(({ isCircular }) => isCircular)) throw new RecoveryError('tables have circular references');
  return tables.map(({ name }) => name);
}

export const listErased = (identity: Sql) => identity<{ id: string }[]>`
  select id from users where anonymized_at is not null`;

/** Lists the objects that are completely stored, without running uploads. */
export const listObjects = (media: Sql) => media<ListedObject[]>`
  select key, checksum from objects
  where status in ('offered', 'ready', 'removing') and checksum <> '' order by key`;

export const migrationsOf = (name: Database) => join(root, 'services', name, 'migrations');

/** The migrations of this version of the code, in their order. */
export const knownMigrations = (name: Database) => readMigrationFiles({ migrationsFolder: migrationsOf(name) });

/** Changes nothing. @throws RecoveryError unless the backup can be restored into the database */
export async function checkTarget(url: string, name: Database, { migrations }: Snapshot, replace = false) {
  const known = knownMigrations(name);
  if (migrations.some(({ hash }, index) => known[index]?.hash !== hash))
    throw new RecoveryError(`${name}: some migrations of the backup are unknown; use the version that made it`);
  await withConnection(url, async (sql) => {
    await assertNoConnections(sql, name);
    const foreign = await sql`
      select from pg_tables where schemaname = 'public' and to_regclass('drizzle.__drizzle_migrations') is null`;
    if (foreign.length > 0) throw new RecoveryError(`${name}: the database has tables of another application`);
    for (const table of replace ? [] : await listTables(sql)) {
      const rows = await sql`select from ${sql(table)} limit 1`;
      if (rows.length > 0) throw new RecoveryError(`${name}: ${table} has rows; use --replace to delete them`);
    }
  });
}

/** PostgreSQL lists a connection for a moment after the client has closed it. */
const closingTimeoutMs = 3_000;

// The owner of a database is not a superuser, so the types of the sessions of other roles are null.
async function assertNoConnections(sql: Sql, name: Database) {
  for (const deadline = Date.now() + closingTimeoutMs; ; await pause(100)) {
    const { length } = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
        and coalesce(backend_type, 'client backend') = 'client backend'`;
    if (length === 0) return;
    if (Date.now() > deadline)
      throw new RecoveryError(`${name}: ${length} connections to the database are open; stop the services first`);
  }
}

/** Drops what the migrations have created, but neither the schema with its privileges nor extensions. */
const dropAll = `
  do $$ begin
    execute (
      select coalesce(string_agg(format('drop %s if exists %s cascade;', type, identity), ''), '')
      from pg_depend d, pg_identify_object(classid, objid, 0)
      where refclassid = 'pg_namespace'::regclass and refobjid = 'public'::regnamespace and deptype = 'n'
        and classid <> 'pg_extension'::regclass and not exists (
          select from pg_depend o where o.classid = d.classid and o.objid = d.objid and o.deptype in ('e', 'i')));
    drop schema if exists drizzle cascade;
  end $$`;

/** Replaces everything in a database, and applies the later migrations of this version. `url` is that of the owner role. */
export async function loadDatabase(url: string, name: Database, manifest: Manifest, folder: string): Promise<void> {
  await withConnection(url, (sql) => sql.begin((tx) => replaceAll(tx, name, manifest, folder)));
  await migrateDatabase(url, migrationsOf(name));
}

async function replaceAll(tx: TransactionSql, name: Database, { databases, files }: Manifest, folder: string) {
  const { migrations, sequences } = databases[name];
  await tx.unsafe(dropAll);
  // As drizzle does, which can only apply all migrations.
  await tx`create schema drizzle`;
  await tx`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  for (const { sql: statements, hash, folderMillis } of knownMigrations(name).slice(0, migrations.length)) {
    for (const statement of statements) await tx.unsafe(statement);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  }
  const paths = files.map(({ path }) => path).filter((path) => path.startsWith(`databases/${name}/`));
  for (const path of paths) {
    const table = tx(basename(path, '.copy'));
    // The backup already contains the effects of the triggers, and what migrations insert.
    await tx`alter table ${table} disable trigger user`;
    await tx`delete from ${table}`;
    await pipeline(createReadStream(join(folder, path)), await tx`copy ${table} from stdin`.writable());
    await tx`alter table ${table} enable trigger user`;
  }
  for (const { name: sequence, lastValue } of sequences)
    if (lastValue !== null) await tx`select setval(quote_ident(${sequence})::regclass, ${lastValue}::bigint)`;
}
