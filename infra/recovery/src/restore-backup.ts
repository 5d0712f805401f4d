import { join } from 'node:path';
import { databases } from 'local/databases';
import { createFileStorage } from 'media/storage/file';
import type { DataStores } from './data-stores.ts';
import { checkTarget } from './databases/check-target.ts';
import { loadDatabase } from './databases/copy-tables.ts';
import { collectErasures, deleteStream } from './erasures.ts';
import { restoreLocalState } from './local-state.ts';
import { checkFile, type Manifest, readManifest } from './manifest.ts';
import { checkObject, copyObject, ObjectNotFound, readLines } from './objects.ts';
import { restoreQuotas } from './quotas.ts';
import { RecoveryError } from './recovery-error.ts';

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
  for (const name of databases) await checkTarget(stores.databases[name], name, manifest.databases[name], replace);
  const erasures = await collectErasures(stores.databases.identity, folder);
  await restoreObjects(stores, folder, manifest);
  report(`objects    ${manifest.objects.count} in storage, ${manifest.objects.bytes} bytes`);
  // Before the rows are restored: their events have to be published to a new stream.
  if (stores.natsUrl) await deleteStream(stores.natsUrl, erasures);
  report(`erasures   ${erasures.length} users stay anonymized`);
  for (const name of databases) {
    await loadDatabase(stores.databases[name], name, manifest.databases[name], folder);
    const rows = manifest.databases[name].tables.reduce((sum, table) => sum + table.rows, 0);
    report(`${name.padEnd(10)} ${manifest.databases[name].tables.length} tables, ${rows} rows`);
  }
  if (stores.redisUrl && manifest.quotas) await restoreQuotas(stores.redisUrl, folder, manifest.quotas.path);
  if (stores.localState) await restoreLocalState(folder, manifest.local, stores.localState);
  return manifest;
}

/** Objects are restored before the rows that refer to them. */
async function restoreObjects({ storage }: DataStores, folder: string, { objects }: Manifest) {
  const source = createFileStorage(join(folder, 'objects'));
  try {
    for await (const object of readLines(join(folder, objects.list.path))) {
      if (objects.kept === 'copied') await copyObject(source, storage, object);
      else await checkObject(storage, object);
    }
  } catch (error) {
    if (!(error instanceof ObjectNotFound)) throw error;
    throw new RecoveryError(`${error.message}; the backup only lists it`, { cause: error });
  }
}

/** Reads and checks a complete backup. @throws RecoveryError if a file or object is missing or was changed */
async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { list, kept } = manifest.objects;
  const optional = [manifest.erasures ?? [], manifest.quotas ?? []].flat();
  const tables = databases.flatMap((name) => manifest.databases[name].tables.map(({ file }) => file));
  for (const file of [...tables, list, ...optional, ...manifest.local]) await checkFile(folder, file);
  if (kept === 'listed') return manifest;
  const objects = createFileStorage(join(folder, 'objects'));
  try {
    for await (const object of readLines(join(folder, list.path))) await checkObject(objects, object);
  } catch (error) {
    if (error instanceof ObjectNotFound)
      throw new RecoveryError(`Incomplete backup: ${error.message}`, { cause: error });
    throw error;
  }
  return manifest;
}
