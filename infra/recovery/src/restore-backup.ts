import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, databases, withConnection } from 'local/databases';
import { ObjectMissing } from 'media/storage';
import { createFileStorage } from 'media/storage/file';
import type { Sql } from 'postgres';
import type { DataStores } from './data-stores.ts';
import { knownMigrations, listMigrations } from './databases/migrations.ts';
import { describeTables, isMissingDatabase, loadDatabase, quote } from './databases/tables.ts';
import { collectErasures, deleteStream } from './erasures.ts';
import { restoreLocalState } from './local-state.ts';
import {
  checkFile,
  type DatabaseBackup,
  type Manifest,
  type Migration,
  RecoveryError,
  readManifest,
} from './manifest.ts';
import { checkObject, copyObject, type ListedObject, readLines } from './objects.ts';
import { checkRedis, restoreQuotas } from './quotas.ts';

export interface RestoreOptions {
  /** Deletes existing rows. */
  replace: boolean;
  report(line: string): void;
}

/**
 * Restores a backup into databases, storage and Redis, and deletes the stream, so that the outboxes are published again.
 * Everything is checked before anything is changed. An interrupted restore can be repeated with `replace`.
 * @throws RecoveryError
 */
export async function restoreBackup(stores: DataStores, folder: string, { replace, report }: RestoreOptions) {
  const manifest = await checkBackup(folder);
  report(`backup     of ${manifest.takenAt}, all checksums match`);
  for (const name of databases)
    await checkTarget(stores.databases[name], name, manifest.databases[name], replace).catch((error: unknown) => {
      if (!stores.provision || !isMissingDatabase(error)) throw error;
    });
  if (stores.redisUrl && manifest.quotas) await checkRedis(stores.redisUrl);
  const erasures = await collectErasures(stores.databases.identity, folder);
  await restoreObjects(stores, folder, manifest);
  report(`objects    ${manifest.objects.count} in storage, ${manifest.objects.bytes} bytes`);
  const urls = (await stores.provision?.()) ?? stores.databases;
  // Before the rows are restored: their events have to be published to a new stream.
  if (stores.natsUrl) await deleteStream(stores.natsUrl, erasures);
  report(`erasures   ${erasures.length} users stay anonymized`);
  for (const name of databases) {
    await loadDatabase(urls[name], name, manifest.databases[name], folder);
    const rows = manifest.databases[name].tables.reduce((sum, table) => sum + table.rows, 0);
    report(`${name.padEnd(10)} ${manifest.databases[name].tables.length} tables, ${rows} rows`);
  }
  // A backup does not contain their pieces: the clients begin again.
  await withConnection(
    urls.media,
    (sql) => sql`update resumable_uploads set status = 'terminated' where status in ('receiving', 'received')`,
  );
  if (stores.redisUrl && manifest.quotas) await restoreQuotas(stores.redisUrl, folder, manifest.quotas.path);
  if (stores.localState) await restoreLocalState(folder, manifest.local, stores.localState);
  return manifest;
}

/** Reads and checks a complete backup. @throws RecoveryError if a file or object is missing or was changed */
async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { list, kept } = manifest.objects;
  const optional = [manifest.erasures ?? [], manifest.quotas ?? []].flat();
  const tables = databases.flatMap((name) => manifest.databases[name].tables.map(({ file }) => file));
  for (const file of [...tables, list, ...optional, ...manifest.local]) await checkFile(folder, file);
  const objects = createFileStorage(join(folder, 'objects'));
  if (kept === 'copied')
    await forEachObject(folder, manifest, 'the backup is incomplete', (one) => checkObject(objects, one));
  return manifest;
}

/** Objects are restored before the rows that refer to them. */
function restoreObjects({ storage }: DataStores, folder: string, manifest: Manifest): Promise<void> {
  const source = createFileStorage(join(folder, 'objects'));
  return forEachObject(folder, manifest, 'the backup only lists it', (object) =>
    manifest.objects.kept === 'copied' ? copyObject(source, storage, object) : checkObject(storage, object),
  );
}

async function forEachObject(
  folder: string,
  { objects }: Manifest,
  reasonIfMissing: string,
  work: (object: ListedObject) => Promise<void>,
): Promise<void> {
  for await (const object of readLines(join(folder, objects.list.path)))
    await work(object).catch((cause: unknown) => {
      if (!(cause instanceof ObjectMissing)) throw cause;
      throw new RecoveryError(`object ${object.key} is not in storage; ${reasonIfMissing}`, { cause });
    });
}

const startsWith = (all: Migration[], some: Migration[]) =>
  some.length <= all.length && some.every(({ hash }, index) => all[index]?.hash === hash);

/** PostgreSQL lists a connection for a moment after the client has closed it. */
const closingTimeoutMs = 3_000;

/** Changes nothing. @throws RecoveryError unless the backup can be restored into the database */
export async function checkTarget(url: string, name: Database, backup: DatabaseBackup, replace: boolean) {
  if (!startsWith(knownMigrations(name), backup.migrations))
    throw new RecoveryError(
      `${name}: the backup has migrations that this version does not know; use the version that made it`,
    );
  await withConnection(url, async (sql) => {
    await assertNoConnections(sql, name);
    const migrations = await listMigrations(sql);
    if (!startsWith(backup.migrations, migrations) && !startsWith(migrations, backup.migrations))
      throw new RecoveryError(
        `${name}: the database has other migrations than the backup; restore into a new, empty database`,
      );
    if (!replace) await assertEmpty(sql, name);
  });
}

// The owner of a database is not a superuser, so the types of the sessions of other roles are null.
async function assertNoConnections(sql: Sql, name: Database) {
  const deadline = Date.now() + closingTimeoutMs;
  for (;;) {
    const [row] = await sql`
      select count(*)::int as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
        and coalesce(backend_type, 'client backend') = 'client backend'`;
    if (Number(row?.others) === 0) return;
    if (Date.now() > deadline)
      throw new RecoveryError(`${name}: ${row?.others} connections to the database are open; stop the services first`);
    await pause(100);
  }
}

async function assertEmpty(sql: Sql, name: Database) {
  for (const table of await describeTables(sql)) {
    const rows = await sql.unsafe(`select 1 from ${quote(table.name)} limit 1`);
    if (rows.length > 0) throw new RecoveryError(`${name}: ${table.name} has rows; use --replace to delete them`);
  }
}
