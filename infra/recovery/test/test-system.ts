import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '@lms/testing/database';
import type { TestServer } from '@lms/testing/servers';
import { Redis } from 'ioredis';
import { type Database, databases, forEachDatabase } from 'local/databases';
import { createFileStorage } from 'media/storage/file';
import postgres, { type Sql } from 'postgres';
import type { Test } from 'tap';
import type { DataStores } from '../src/data-stores.ts';
import { migrationsOf } from '../src/databases.ts';
import { readDatabase, readFiles } from './read-back.ts';

export async function withSql<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  return work(sql).finally(() => sql.end());
}

/** Creates a temporary folder. Unlike `t.testdir()`, it can be called repeatedly. */
export async function makeFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lms-recovery-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates databases with all migrations, except those that are given. */
export const openDatabases = (
  t: Test,
  given: Partial<Record<Database, string>> = {},
): Promise<Record<Database, string>> =>
  forEachDatabase(async (name) => given[name] ?? (await testDatabase(t, migrationsOf(name))).url);

interface Servers {
  nats: TestServer;
  redis: TestServer;
}

/** Creates a storage and databases, except those that are given, without processes. */
export async function openSystem(t: Test, { nats, redis }: Servers, given: Partial<Record<Database, string>> = {}) {
  const directory = await makeFolder(t);
  const storagePath = join(directory, 'storage');
  await mkdir(storagePath);
  const stores: DataStores & { storagePath: string } = {
    databases: await openDatabases(t, given),
    storage: createFileStorage(storagePath),
    storagePath,
    natsUrl: nats.url,
    redis: new Redis(redis.url, { lazyConnect: true }),
    directory: join(directory, 'data'),
    report: () => undefined,
  };
  t.teardown(() => stores.redis.disconnect());
  return stores;
}

/** Inserts levels with characters that COPY has to escape, and two objects. */
export async function fill({ databases: urls, storage }: DataStores): Promise<string[]> {
  const names = ['tab\there', 'line\nbreak', 'back\\slash', '\\.', '\\N', 'Ünï', 'quote \' "'];
  await withSql(urls.content, async (sql) => {
    for (const [index, name] of names.entries())
      await sql`insert into nodes (id, kind, name, description, position, is_active, is_live)
        values (${`level${index}`}, 'level', ${name}, ${name}, ${index}, true, true)`;
  });
  const keys = ['object-number-one', 'object-number-two'];
  await withSql(urls.media, async (sql) => {
    for (const key of keys) {
      const bytes = Buffer.from(`the bytes of ${key}`);
      const checksum = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      await storage.put(key, toStream(bytes));
      await sql`insert into objects (id, kind, status, topic_id, key, file_name, size, checksum, uploaded_by)
        values (${key}, 'document', 'ready', 'topic', ${key}, 'a.txt', ${bytes.length}, ${checksum}, 'uploader')`;
    }
  });
  return keys;
}

async function* toStream(bytes: Uint8Array) {
  yield bytes;
}

export async function readSystem({ databases: urls, storagePath }: DataStores & { storagePath: string }) {
  const contents: Record<string, unknown> = {};
  for (const name of databases) contents[name] = await readDatabase(urls[name]);
  return { contents, objects: readFiles(storagePath) };
}
