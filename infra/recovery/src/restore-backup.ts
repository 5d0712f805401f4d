import { existsSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { streamName } from '@lms/contracts/events/definition';
import { erasureLedger } from '@lms/contracts/events/identity';
import { openLedger } from '@lms/events/ledger';
import { parseServers } from '@lms/events/servers';
import { databases, withConnection } from 'local/databases';
import { createFileStorage } from 'media/storage/file';
import { connect, NatsError } from 'nats';
import type { DataStores, Options } from './data-stores.ts';
import { checkTarget, listErased, loadDatabase } from './databases.ts';
import { checkObject, type ListedObject, readManifest } from './manifest.ts';

/**
 * Restores a backup into databases, storage and Redis, and deletes the stream, so that the outboxes are published again.
 * Everything is checked before anything is changed. `replace` deletes existing data; with it, an interrupted restore can be
 * repeated. @throws RecoveryError
 */
export async function restoreBackup(stores: DataStores, folder: string, { replace }: Options): Promise<void> {
  const { storage, provision, report } = stores;
  const manifest = await readManifest(folder);
  const lines = (await readFile(join(folder, 'objects.jsonl'), 'utf8')).split('\n').filter(Boolean);
  const objects: ListedObject[] = lines.map((line) => JSON.parse(line));
  const isCopied = manifest.objects.kept === 'copied';
  const source = isCopied ? createFileStorage(join(folder, 'objects')) : storage;
  for (const object of objects) await checkObject(source, object);
  report(`backup     of ${manifest.takenAt}, all checksums match`);
  for (const name of databases)
    await checkTarget(stores.databases[name], name, manifest.databases[name], replace).catch((error: unknown) => {
      // A database that does not exist is created below.
      if (!provision || Object(error).code !== '3D000') throw error;
    });
  const erasures = await collectErasures(stores.databases.identity, folder);

  await restoreQuotas(stores.redis, join(folder, 'quotas.json'));
  // Objects are restored before the rows that refer to them.
  for (const { key } of isCopied ? objects : []) {
    // What is damaged, or what a restore that was killed has left.
    await storage.remove(key);
    await storage.put(key, await source.open(key));
  }
  report(`objects    ${objects.length} in storage`);
  const urls = (await provision?.()) ?? stores.databases;
  // Before the rows are restored: their events have to be published to a new stream.
  await deleteStream(stores.natsUrl, erasures);
  report(`erasures   ${erasures.length} users stay anonymized`);
  for (const name of databases) {
    await loadDatabase(urls[name], name, manifest, folder);
    report(`${name.padEnd(10)} restored`);
  }
  // A backup does not contain their pieces: the clients begin again.
  const endUploads = "update resumable_uploads set status = 'terminated' where status in ('receiving', 'received')";
  await withConnection(urls.media, (sql) => sql.unsafe(endUploads));
  const local = join(folder, 'local');
  // Elsewhere there is no data directory.
  if (existsSync(local) && existsSync(stores.directory)) await cp(local, stores.directory, { recursive: true });
}

/** Restores the usage; that after the backup is lost, and that of expired months expires at once. */
async function restoreQuotas(redis: DataStores['redis'], file: string) {
  if (!existsSync(file)) return;
  for (const { key, expiresAt, used } of JSON.parse(await readFile(file, 'utf8'))) {
    const put = redis.multi().del(key).hset(key, used);
    if (expiresAt > 0) put.pexpireat(key, expiresAt);
    await put.exec();
  }
}

/** The ids of users whom this backup, another one in the same folder, or the database that is replaced knows to be anonymized. */
async function collectErasures(identityUrl: string, folder: string): Promise<string[]> {
  const parent = dirname(folder);
  const files = (await readdir(parent)).map((name) => join(parent, name, 'erasures.txt'));
  const stored = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const known = await withConnection(identityUrl, listErased).catch((error: unknown) => {
    // The database or the table does not exist.
    if (!['3D000', '42P01'].includes(Object(error).code)) throw error;
    return [];
  });
  return [...new Set([...stored.flatMap((text) => text.split('\n')), ...known.map(({ id }) => id)])].filter(Boolean);
}

/**
 * Deletes the stream with all its consumers, because it may contain events that the restored databases do not. The relays
 * create a new one and publish the events of the last week, which the outboxes contain; the inboxes prevent duplicate handling.
 * The ledger of erasures stays, and these are added to it.
 */
async function deleteStream(natsUrl: string, erasures: string[]) {
  const connection = await connect({ ...parseServers(natsUrl), timeout: 5_000, maxReconnectAttempts: 2 });
  try {
    const manager = await connection.jetstreamManager();
    await manager.streams.delete(streamName).catch((error: unknown) => {
      if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
    });
    // From the ledger, identity anonymizes them again when it starts.
    const connected = { connection, jetstream: connection.jetstream(), manager };
    const ledger = openLedger({ connected: async () => connected }, erasureLedger);
    for (const id of erasures) await ledger.add(id);
  } finally {
    await connection.close();
  }
}
