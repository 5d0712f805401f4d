import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { databases } from 'local/databases';
import type { Storage } from 'media/storage';
import { createFileStorage } from 'media/storage/file';
import { dumpDatabase } from './databases/dump-database.ts';
import { openSnapshots } from './databases/snapshots.ts';
import { storeLocalState } from './local-state.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { checkObject, copyObject, ObjectGone } from './objects/copy-object.ts';
import { type ListedObject, listObjects, toLines } from './objects/list-objects.ts';
import type { Places } from './places/places.ts';
import { saveQuotas } from './quotas.ts';
import { RecoveryError } from './recovery-error.ts';
import { storeFile } from './stored-files.ts';

export interface BackUpOptions {
  /** `listed` keeps no copy of the objects, and only makes sure that the storage has them. */
  objects: Manifest['objects']['kept'];
  report(line: string): void;
}

// An object that is replaced while it is copied is gone: the next round sees what came instead.
const mostRounds = 5;

/** Backs up a system that may be running into an empty folder. @throws RecoveryError */
export async function backUp(places: Places, folder: string, { objects, report }: BackUpOptions): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new RecoveryError(`${folder} is not empty`);
  // It may have been there before.
  await chmod(folder, 0o700);
  const target = createFileStorage(join(folder, 'objects'));
  const keep = (object: ListedObject) =>
    objects === 'copied' ? copyObject(places.storage, target, object) : checkObject(places.storage, object);

  for (let round = 1; ; round += 1) {
    const { listed, manifest } = await takeDatabases(places, folder, objects);
    report(`databases  ${databases.map((name) => `${name} ${countRows(manifest, name)} rows`).join(', ')}`);
    try {
      for (const object of listed) await keep(object);
    } catch (error) {
      if (!(error instanceof ObjectGone)) throw error;
      if (round === mostRounds) throw new RecoveryError(`${error.message}, though its row says so`, { cause: error });
      report(`${error.message} any more: looking again`);
      continue;
    }
    if (objects === 'copied') await dropUnlisted(target, folder, listed);
    report(`objects    ${listed.length} ${objects}, ${manifest.objects.bytes} bytes`);
    await writeManifest(folder, manifest);
    return manifest;
  }
}

async function takeDatabases(places: Places, folder: string, kept: Manifest['objects']['kept']) {
  const takenAt = new Date().toISOString();
  const snapshots = await openSnapshots(places.databases);
  try {
    const dump = (name: (typeof databases)[number]) => dumpDatabase(snapshots.of(name), folder, `databases/${name}`);
    const listed = await listObjects(snapshots.of('media'));
    const manifest: Manifest = {
      format: 1,
      takenAt,
      databases: {
        identity: await dump('identity'),
        content: await dump('content'),
        media: await dump('media'),
        enrollment: await dump('enrollment'),
      },
      objects: {
        kept,
        count: listed.length,
        bytes: listed.reduce((sum, { size }) => sum + size, 0),
        list: await storeFile(
          folder,
          'objects.jsonl',
          (async function* () {
            yield* toLines(listed);
          })(),
        ),
      },
      quotas: places.redisUrl ? await storeFile(folder, 'quotas.json', await saveQuotas(places.redisUrl)) : null,
      local: await storeLocalState(places.localState, folder),
    };
    return { listed, manifest };
  } finally {
    await snapshots.close();
  }
}

/** An earlier round may have copied what the last one does not know any more. */
async function dropUnlisted(target: Storage, folder: string, listed: ListedObject[]) {
  const keys = new Set(listed.map(({ key }) => key));
  const files = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const { name } of files.filter((entry) => entry.isFile() && !keys.has(entry.name))) await target.remove(name);
}

const countRows = ({ databases: all }: Manifest, name: (typeof databases)[number]) =>
  all[name].tables.reduce((sum, { rows }) => sum + rows, 0);
