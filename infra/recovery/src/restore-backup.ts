import { join } from 'node:path';
import { databases } from 'local/databases';
import { createFileStorage } from 'media/storage/file';
import { checkBackup } from './check-backup.ts';
import { checkTarget } from './databases/check-target.ts';
import { loadDatabase } from './databases/load-database.ts';
import { forgetStream } from './forget-stream.ts';
import { restoreLocalState } from './local-state.ts';
import type { Manifest } from './manifest.ts';
import { checkObject, copyObject, ObjectGone } from './objects/copy-object.ts';
import { readLines } from './objects/list-objects.ts';
import type { Places } from './places/places.ts';
import { restoreQuotas } from './quotas.ts';
import { RecoveryError } from './recovery-error.ts';

export interface RestoreOptions {
  /** Gives up what the databases hold. */
  replace: boolean;
  report(line: string): void;
}

/**
 * Puts a backup into databases, storage and Redis, and has NATS told anew. Everything is checked before anything is
 * changed; a restore that broke off is repeated with `replace`.
 * @throws RecoveryError
 */
export async function restoreBackup(places: Places, folder: string, { replace, report }: RestoreOptions) {
  const manifest = await checkBackup(folder);
  report(`backup     of ${manifest.takenAt}, every byte as written`);
  for (const name of databases) await checkTarget(places.databases[name], name, manifest.databases[name], replace);
  await bringObjects(places, folder, manifest);
  report(`objects    ${manifest.objects.count} in storage, ${manifest.objects.bytes} bytes`);
  // Before the rows come: what is told from now on has to go to a new stream.
  if (places.natsUrl) await forgetStream(places.natsUrl);
  for (const name of databases) {
    await loadDatabase(places.databases[name], name, manifest.databases[name], folder);
    const rows = manifest.databases[name].tables.reduce((sum, table) => sum + table.rows, 0);
    report(`${name.padEnd(10)} ${manifest.databases[name].tables.length} tables, ${rows} rows`);
  }
  if (places.redisUrl && manifest.quotas) await restoreQuotas(places.redisUrl, folder, manifest.quotas.path);
  if (places.localState) await restoreLocalState(folder, manifest.local, places.localState);
  return manifest;
}

/** Objects come before the rows that name them. */
async function bringObjects({ storage }: Places, folder: string, { objects }: Manifest) {
  const source = createFileStorage(join(folder, 'objects'));
  try {
    for await (const object of readLines(join(folder, objects.list.path))) {
      if (objects.kept === 'copied') await copyObject(source, storage, object);
      else await checkObject(storage, object);
    }
  } catch (error) {
    if (!(error instanceof ObjectGone)) throw error;
    throw new RecoveryError(`${error.message}; the backup only lists it`, { cause: error });
  }
}
