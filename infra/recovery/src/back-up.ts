import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { relayLock } from '@lms/events/relay';
import { forEachDatabase } from 'local/databases';
import { ObjectMissing } from 'media/storage';
import { createFileStorage } from 'media/storage/file';
import postgres, { type Sql } from 'postgres';
import type { DataStores, Options } from './data-stores.ts';
import { dumpDatabase, listErased, listObjects } from './databases.ts';
import { checkObject, type Manifest, openObject, RecoveryError, type Store, storeFile } from './manifest.ts';

// An object that is replaced while the backup runs is not found. Another attempt reads its replacement.
const maxAttempts = 5;
// The accounts and keys of the local identity provider, and the state of the seeding, exist only in these files.
const localFiles = ['identity-provider/state.json', 'seed.json'];

/** Backs up a system, which may be running, into an empty folder. @throws RecoveryError */
export async function backUp(stores: DataStores, folder: string, options: Options): Promise<void> {
  const { storage, report } = stores;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new RecoveryError(`${folder} is not empty`);
  // The folder may have existed with other permissions.
  await chmod(folder, 0o700);
  const copies = options.listObjects ? undefined : createFileStorage(join(folder, 'objects'));
  const kept = copies ? 'copied' : 'listed';
  const stored = new Set<string>();

  for (let attempt = 1; ; attempt += 1) {
    const takenAt = new Date().toISOString();
    const { objects, ...contents } = await storeDatabases(stores, folder);
    report('databases  copied');
    try {
      for (const object of objects.filter(({ key }) => !stored.has(key))) {
        await copies?.put(object.key, await openObject(storage, object.key));
        await checkObject(copies ?? storage, object);
        stored.add(object.key);
      }
      report(`objects    ${objects.length} ${kept}`);
      // It is written last: without it, a backup is incomplete.
      const manifest: Manifest = { takenAt, ...contents, objects: { kept } };
      await storeFile(folder, 'manifest.json', [JSON.stringify(manifest, null, 2)]);
      return;
    } catch (error) {
      const isMissing = error instanceof RecoveryError && error.cause instanceof ObjectMissing;
      if (!isMissing || attempt === maxAttempts) throw error;
      report(`${error.message}, although its row exists; retrying`);
    }
  }
}

/**
 * Stores all but the objects. The snapshots of the databases are taken while no outbox relay publishes, so that every event that
 * a consumer has received is also in the snapshot of its publisher.
 */
async function storeDatabases({ databases, redis, directory }: DataStores, folder: string) {
  const pools = await forEachDatabase(async (name) =>
    postgres(databases[name], { max: 1, connect_timeout: 10, onnotice: () => undefined }),
  );
  try {
    const snapshots = await forEachDatabase((name) => pools[name].reserve());
    const inEach = (run: (session: Sql) => PromiseLike<unknown>) => Promise.all(Object.values(snapshots).map(run));
    await inEach((session) => session`select pg_advisory_lock(${relayLock}::bigint)`);
    await inEach((session) => session`begin isolation level repeatable read read only`);
    // The first statement takes the snapshot, not "begin".
    await inEach((session) => session`select pg_current_snapshot()`);
    await inEach((session) => session`select pg_advisory_unlock(${relayLock}::bigint)`);

    const files: Manifest['files'] = [];
    const store: Store = async (path, source) => void files.push(await storeFile(folder, path, source));
    const states = await forEachDatabase((name) => dumpDatabase(snapshots[name], name, store));
    const objects = await listObjects(snapshots.media);
    await store('objects.jsonl', [objects.map((object) => `${JSON.stringify(object)}\n`).join('')]);
    await store('erasures.txt', [(await listErased(snapshots.identity)).map(({ id }) => `${id}\n`).join('')]);
    await store('quotas.json', [JSON.stringify(await readQuotas(redis))]);
    for (const file of localFiles.filter((name) => existsSync(join(directory, name))))
      await store(`local/${file}`, createReadStream(join(directory, file)));
    return { databases: states, files, objects };
  } finally {
    await Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: 0 })));
  }
}

/** The usage of each user in the months that Redis stores. */
async function readQuotas(redis: DataStores['redis']) {
  // A key that does not expire has a negative time.
  const quotas: { key: string; expiresAt: number; used: Record<string, string> }[] = [];
  for await (const keys of redis.scanStream({ match: 'lms:quota:{*}:*', count: 1_000 }))
    for (const key of keys)
      quotas.push({ key, expiresAt: await redis.pexpiretime(key), used: await redis.hgetall(key) });
  return quotas;
}
