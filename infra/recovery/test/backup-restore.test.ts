import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { erasureLedger } from '@lms/contracts/events/identity';
import { openLedger } from '@lms/events/ledger';
import { startNats, startRedis } from '@lms/testing/servers';
import { Redis } from 'ioredis';
import { type Database, databases } from 'local/databases';
import { createFileStorage } from 'media/storage/file';
import { createS3Storage } from 'media/storage/s3';
import { connect } from 'nats';
import t, { type Test } from 'tap';
import { startS3 } from '../../../services/media/test/s3-service.ts';
import { backUp } from '../src/back-up.ts';
import type { DataStores } from '../src/data-stores.ts';
import { checkTarget, knownMigrations } from '../src/databases.ts';
import { type Manifest, RecoveryError, readManifest } from '../src/manifest.ts';
import { restoreBackup } from '../src/restore-backup.ts';
import { migrateTo } from './migrate-to.ts';
import { fill, makeFolder, openSystem, readSystem, withSql } from './test-system.ts';

const servers = { nats: await startNats(t), redis: await startRedis(t) };

// A small system, which no test changes, and a backup of it, of which each test has its own copy.
const source = await openSystem(t, servers);
const keys = await fill(source);
const backup = join(await makeFolder(t), 'backup');
await backUp(source, backup, {});
// An empty system, which no test changes.
const empty = await openSystem(t, servers);

/** Copies the backup. */
async function copyBackup(t: Test) {
  const directory = await makeFolder(t);
  const folder = join(directory, 'backup');
  cpSync(backup, folder, { recursive: true });
  return { folder, directory };
}

/** Creates an empty system to restore the backup into. */
const prepare = async (t: Test) => ({ target: await openSystem(t, servers), ...(await copyBackup(t)) });

/** The databases of a system but one, which a test changes. */
const without = (name: Database, { databases: urls }: DataStores) => ({ ...urls, [name]: undefined });

/** Changes the manifest of a backup. */
function changeManifest(folder: string, change: (manifest: Manifest) => object) {
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, ...change(manifest) }));
}

async function* toBytes(given: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(given);
}

t.test('an incomplete or changed backup is rejected before anything is changed', async (t) => {
  const { folder, directory } = await copyBackup(t);
  const before = await readSystem(empty);
  const [key = ''] = keys;
  const cases: [string, (backup: string) => void, RegExp][] = [
    ['without its manifest', (backup) => rmSync(join(backup, 'manifest.json')), /not a complete backup/],
    [
      'with a changed manifest',
      (backup) => changeManifest(backup, ({ files }) => ({ files: files.map((file) => ({ ...file, sha256: '0' })) })),
      /checksum does not match/,
    ],
    [
      'with a manifest that lacks something',
      (backup) => changeManifest(backup, () => ({ takenAt: undefined })),
      /manifest\.json has an unknown format/,
    ],
    [
      'with a truncated table',
      (backup) => truncateSync(join(backup, 'databases/content/nodes.copy'), 40),
      /nodes\.copy is missing or was changed/,
    ],
    ['without a table', (backup) => rmSync(join(backup, 'databases/media/objects.copy')), /objects\.copy is missing/],
    ['without an object', (backup) => rmSync(join(backup, 'objects', key.slice(-2), key)), /is not in storage/],
    [
      'with a changed object',
      (backup) => writeFileSync(join(backup, 'objects', key.slice(-2), key), 'x'),
      /checksum does not match/,
    ],
  ];
  for (const [title, damage, reason] of cases) {
    const broken = join(directory, title.replaceAll(' ', '-'));
    cpSync(folder, broken, { recursive: true });
    damage(broken);
    await t.rejects(restoreBackup(empty, broken, {}), reason, title);
  }
  t.same(await readSystem(empty), before, 'nothing changed');
});

t.test('only the owner can read a backup', async (t) => {
  const directory = await makeFolder(t);
  const [folder, data] = [join(directory, 'backup'), join(directory, 'data')];
  mkdirSync(folder, { mode: 0o755 });
  mkdirSync(join(data, 'identity-provider'), { recursive: true });
  for (const file of ['seed.json', 'identity-provider/state.json']) writeFileSync(join(data, file), '{}');
  await backUp({ ...source, directory: data }, folder, {});
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  const modes = paths.map((path) => [path, statSync(path).isDirectory(), statSync(path).mode & 0o777] as const);
  for (const entry of ['objects/', 'databases/media/', 'local/identity-provider/', 'manifest.json', 'objects.jsonl'])
    t.ok(
      paths.some((path) => path.includes(entry)),
      entry,
    );
  for (const [path, isFolder, mode] of modes) t.equal(mode, isFolder ? 0o700 : 0o600, path);
});

t.test('existing rows are deleted only with replace', async (t) => {
  const { target, folder } = await prepare(t);
  await withSql(target.databases.identity, (sql) => sql`insert into inbox (consumer, event_id) values ('a', 'b')`);
  const before = await readSystem(target);
  await t.rejects(restoreBackup(target, folder, {}), /identity: inbox has rows; use --replace/);
  t.same(await readSystem(target), before);
  await restoreBackup(target, folder, { replace: true });
  t.same(await readSystem(target), await readSystem(source));
});

t.test('tables of another application are never deleted', async (t) => {
  const target = await openSystem(t, servers, without('content', empty));
  await withSql(target.databases.content, (sql) => sql`drop schema drizzle cascade`);
  const restored = restoreBackup(target, backup, { replace: true });
  await t.rejects(restored, /content: the database has tables of another application/);
});

t.test('a restore is rejected while a database has other connections', async (t) => {
  await withSql(empty.databases.media, async (sql) => {
    await sql`select 1`;
    await t.rejects(restoreBackup(empty, backup, { replace: true }), /media: 1 connections .* stop the services/);
  });
});

t.test('connections of other roles are found by a role that is not a superuser', async (t) => {
  const { media } = (await readManifest(backup)).databases;
  await withSql(empty.databases.media, async (sql) => {
    const role = `owner_${process.pid}`;
    await sql.unsafe(`create role ${role} login password 'secret'`);
    const url = Object.assign(new URL(empty.databases.media), { username: role, password: 'secret' }).href;
    const check = checkTarget(url, 'media', media, true);
    await t.rejects(check, /media: 1 connections .* stop the services/);
    await sql.unsafe(`drop role ${role}`);
  });
});

t.test('an old backup is migrated, and one of a newer version is rejected', async (t) => {
  const { target, folder, directory } = await prepare(t);
  changeManifest(folder, ({ databases: { media, ...others } }) => ({
    databases: { ...others, media: { ...media, migrations: [...media.migrations, { hash: 'later' }] } },
  }));
  await t.rejects(restoreBackup(target, folder, { replace: true }), /are unknown; use the version that made it/);

  const [first] = knownMigrations('media');
  const old = await openSystem(t, servers, without('media', source));
  await withSql(old.databases.media, dropEverything);
  await migrateTo(old.databases.media, 'media', 1);
  const oldFolder = join(directory, 'old');
  await backUp(old, oldFolder, {});
  t.same((await readManifest(oldFolder)).databases.media.migrations, [{ hash: first?.hash }]);
  const hashes = knownMigrations('media').map(({ hash }) => hash);
  const restoreOld = async (title: string) => {
    await restoreBackup(target, oldFolder, { replace: true });
    const rows = await withSql(
      target.databases.media,
      (sql) => sql`select hash from drizzle.__drizzle_migrations order by created_at`,
    );
    t.same(
      rows.map(({ hash }) => hash),
      hashes,
      title,
    );
  };
  await restoreOld('into a database of this version');
  await restoreOld('again');
  await withSql(target.databases.media, (sql) => sql`update drizzle.__drizzle_migrations set hash = 'other'`);
  await restoreOld('into a database with other migrations');
});

t.test('a backup in the format of earlier versions is checked and restored', async (t) => {
  const { target, folder, directory } = await prepare(t);
  changeManifest(folder, (manifest) => {
    const fileOf = (path: string) => ({ ...manifest.files.find((file) => file.path === path), bytes: 1 });
    const oldState = (name: Database) => ({
      migrations: manifest.databases[name].migrations.map(({ hash }, index) => ({ hash, createdAt: index })),
      sequences: manifest.databases[name].sequences.map((one) => ({ ...one, lastValue: '1', isCalled: false })),
      tables: manifest.files
        .filter(({ path }) => path.startsWith(`databases/${name}/`))
        .map((file) => ({ name: basename(file.path, '.copy'), columns: [], rows: 1, file: { ...file, bytes: 1 } })),
    });
    return {
      format: 1,
      databases: Object.fromEntries(databases.map((name) => [name, oldState(name)])),
      objects: { ...manifest.objects, count: 2, bytes: 1, list: fileOf('objects.jsonl') },
      erasures: fileOf('erasures.txt'),
      quotas: null,
      local: [],
      files: undefined,
    };
  });
  rmSync(join(folder, 'quotas.json'));
  const broken = join(directory, 'broken');
  cpSync(folder, broken, { recursive: true });
  truncateSync(join(broken, 'databases/content/nodes.copy'), 40);
  await t.rejects(restoreBackup(target, broken, {}), /nodes\.copy is missing or was changed/);
  await restoreBackup(target, folder, {});
  const { contents, objects } = await readSystem(target);
  const expected = await readSystem(source);
  t.same(objects, expected.objects);
  for (const name of databases) t.same(Object(contents[name]).tables, Object(expected.contents[name]).tables, name);
});

t.test('a backup with listed objects requires unchanged objects in the storage', async (t) => {
  const { target, directory } = await prepare(t);
  const folder = join(directory, 'listed');
  await backUp(source, folder, { listObjects: true });
  await t.rejects(restoreBackup(target, folder, {}), /object object-number-one is not in storage/);
  await restoreBackup({ ...target, storage: source.storage }, folder, {});
  const rows = await withSql(target.databases.media, (sql) => sql`select key from objects order by key`);
  t.same(
    rows.map(({ key }) => key),
    keys,
  );
});

t.test('objects are copied from S3 into a backup and from there into another bucket', async (t) => {
  const storage = createS3Storage((await startS3(t)).options);
  for (const key of keys) await storage.put(key, await source.storage.open(key));
  const folder = join(await makeFolder(t), 'backup');
  await backUp({ ...source, storage }, folder, {});
  const target = { ...(await openSystem(t, servers)), storage: createS3Storage((await startS3(t)).options) };
  await restoreBackup(target, folder, {});
  for (const key of keys) t.equal(await text(await target.storage.open(key)), `the bytes of ${key}`);
  for (const opened of [storage, target.storage]) opened.close();
});

t.test('damaged objects are replaced, unfinished uploads end, and Redis is checked first', async (t) => {
  const source = await openSystem(t, servers);
  const [key = ''] = await fill(source);
  await source.redis.hset('lms:quota:{a-user}:2026-11', { calls: '7' });
  t.teardown(() => source.redis.del('lms:quota:{a-user}:2026-11'));
  await withSql(
    source.databases.media,
    (sql) => sql`insert into resumable_uploads (id, kind, user_id, topic_id, file_name, length, expires_at)
      values ('one', 'video', 'a-user', 'a-topic', 'a.mp4', 9, now() + interval '1 day')`,
  );
  const folder = join(await makeFolder(t), 'backup');
  await backUp(source, folder, {});
  const target = await openSystem(t, servers);
  const bytes = `the bytes of ${key}`;
  await target.storage.put(key, toBytes(bytes.toUpperCase()));
  await restoreBackup(target, folder, {});
  t.equal(await text(await target.storage.open(key)), bytes);
  const rows = await withSql(target.databases.media, (sql) => sql`select status from resumable_uploads`);
  t.same([...rows], [{ status: 'terminated' }]);

  const before = await readSystem(target);
  const down = { ...target, redis: new Redis('redis://127.0.0.1:1', { lazyConnect: true, retryStrategy: () => null }) };
  down.redis.on('error', () => undefined);
  await t.rejects(restoreBackup(down, folder, { replace: true }), /closed/);
  t.same(await readSystem(target), before, 'nothing changed');
});

t.test('a restore adds the users who were anonymized since to the ledger', async (t) => {
  const source = await openSystem(t, servers);
  const addUser = (id: string) =>
    withSql(
      source.databases.identity,
      (sql) =>
        sql`insert into users (id, email, email_verified, plan, search_text) values (${id}, ${id}, true, 'FREE', '')`,
    );
  const anonymize = (id: string) =>
    withSql(source.databases.identity, (sql) => sql`update users set anonymized_at = now() where id = ${id}`);
  const directory = await makeFolder(t);
  const [first, second] = [join(directory, 'first'), join(directory, 'second')];
  for (const id of ['early', 'later', 'latest', 'other']) await addUser(id);
  await anonymize('early');
  await backUp(source, first, {});
  await anonymize('later');
  await backUp(source, second, {});
  await anonymize('latest');

  const connection = await connect({ servers: servers.nats.url });
  t.teardown(() => connection.close());
  const jetstream = connection.jetstream();
  const manager = await connection.jetstreamManager();
  const ledger = openLedger({ connected: async () => ({ connection, jetstream, manager }) }, erasureLedger);
  await restoreBackup(await openSystem(t, servers), first, {});
  t.same((await ledger.keys()).sort(), ['early', 'later'], 'from the other backups');
  await restoreBackup(source, first, { replace: true });
  t.same((await ledger.keys()).sort(), ['early', 'later', 'latest'], 'and from the replaced database');
});

t.test('a backup is repeated if an object is removed while it runs', async (t) => {
  const source = await openSystem(t, servers);
  const [first = '', second = ''] = await fill(source);
  const opened: string[] = [];
  const storage = {
    ...source.storage,
    async open(key: string) {
      opened.push(key);
      if (key === second) {
        await withSql(source.databases.media, (sql) => sql`delete from objects where key = ${key}`);
        await source.storage.remove(key);
      }
      return source.storage.open(key);
    },
  };
  const folder = join(await makeFolder(t), 'backup');
  await backUp({ ...source, storage }, folder, {});
  t.same(opened, [first, second], 'what is copied is not copied again');
  const target = await openSystem(t, servers);
  await restoreBackup(target, folder, {});
  t.same(await readSystem(target), await readSystem(source));
});

t.test('a backup fails for a changed or missing object, or a folder that is not empty', async (t) => {
  const directory = await makeFolder(t);
  const storagePath = join(directory, 'storage');
  cpSync(source.storagePath, storagePath, { recursive: true });
  const changed = { ...source, storage: createFileStorage(storagePath) };
  const [key = ''] = keys;
  const folder = join(directory, 'backup');
  const file = join(storagePath, key.slice(-2), key);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.toString().toUpperCase());
  await t.rejects(backUp(changed, folder, {}), /object .* was changed/);
  rmSync(file);
  const another = join(directory, 'another');
  await t.rejects(backUp(changed, another, {}), /object .* is not in storage/);
  await t.rejects(backUp(changed, another, {}), RecoveryError, 'the folder is not empty');
  for (const incomplete of [folder, another]) await t.rejects(readManifest(incomplete), /not a complete backup/);
});

const dropEverything = (sql: Parameters<Parameters<typeof withSql>[1]>[0]) =>
  sql.unsafe('drop schema public cascade; create schema public; drop schema drizzle cascade');
