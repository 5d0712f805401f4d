import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, databases, forEachDatabase } from 'local/databases';
import { ObjectMissing, type Storage } from 'media/storage';
import { createFileStorage } from 'media/storage/file';
import type { DataStores } from './data-stores.ts';
import { withSnapshots } from './databases/snapshots.ts';
import { dumpDatabase } from './databases/tables.ts';
import { storeErasures } from './erasures.ts';
import { storeLocalState } from './local-state.ts';
import { type Manifest, RecoveryError, storeFile, writeManifest } from './manifest.ts';
import { checkObject, copyObject, type ListedObject, listObjects, toLines } from './objects.ts';
import { saveQuotas } from './quotas.ts';

export interface BackUpOptions {
  /** With `listed`, objects are only checked in the storage and not copied. */
  objects: Manifest['objects']['kept'];
  report(line: string): void;
}

// An object that is replaced while the backup runs is not found. Another attempt reads its replacement.
const maxAttempts = 5;

/** Backs up a system, which may be running, into an empty folder. @throws RecoveryError */
export async function backUp(
  stores: DataStores,
  folder: string,
  { objects, report }: BackUpOptions,
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new RecoveryError(`${folder} is not empty`);
  // The folder may have existed with other permissions.
  await chmod(folder, 0o700);
  const target = createFileStorage(join(folder, 'objects'));
  const storeObject = (object: ListedObject) =>
    objects === 'copied' ? copyObject(stores.storage, target, object) : checkObject(stores.storage, object);

  for (let attempt = 1; ; attempt += 1) {
    const { listed, manifest } = await dumpDatabases(stores, folder, objects);
    report(`databases  ${databases.map((name) => `${name} ${countRows(manifest, name)} rows`).join(', ')}`);
    try {
      for (const object of listed) await storeObject(object);
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
      const problem = `object ${error.message} is not in storage`;
      if (attempt === maxAttempts) throw new RecoveryError(`${problem}, although its row exists`, { cause: error });
      report(`${problem} any more; retrying`);
      continue;
    }
    if (objects === 'copied') await removeUnlisted(target, folder, listed);
    report(`objects    ${listed.length} ${objects}, ${manifest.objects.bytes} bytes`);
    await writeManifest(folder, manifest);
    return manifest;
  }
}

function dumpDatabases(stores: DataStores, folder: string, kept: Manifest['objects']['kept']) {
  const takenAt = new Date().toISOString();
  return withSnapshots(stores.databases, async (snapshots) => {
    const listed = await listObjects(snapshots.media);
    const manifest: Manifest = {
      format: 1,
      takenAt,
      databases: await forEachDatabase((name) => dumpDatabase(snapshots[name], folder, `databases/${name}`)),
      objects: {
        kept,
        count: listed.length,
        bytes: listed.reduce((sum, { size }) => sum + size, 0),
        list: await storeFile(folder, 'objects.jsonl', toLines(listed)),
      },
      erasures: await storeErasures(snapshots.identity, folder),
      quotas: stores.redisUrl ? await storeFile(folder, 'quotas.json', await saveQuotas(stores.redisUrl)) : null,
      local: await storeLocalState(stores.localState, folder),
    };
    return { listed, manifest };
  });
}

/** Removes objects that an earlier attempt copied and that no longer exist. */
async function removeUnlisted(target: Storage, folder: string, listed: ListedObject[]) {
  const keys = new Set(listed.map(({ key }) => key));
  const files = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const { name } of files.filter((entry) => entry.isFile() && !keys.has(entry.name))) await target.remove(name);
}

const countRows = ({ databases: all }: Manifest, name: Database) =>
  all[name].tables.reduce((sum, { rows }) => sum + rows, 0);
