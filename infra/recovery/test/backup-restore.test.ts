import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { erasureLedger } from '@lms/contracts/events/identity';
import { openLedger } from '@lms/events/ledger';
import { startNats } from '@lms/testing/servers';
import { createS3Storage } from 'media/storage/s3';
import { connect } from 'nats';
import t, { type Test } from 'tap';
import { startS3 } from '../../../services/media/test/s3-service.ts';
import { backUp } from '../src/back-up.ts';
import { knownMigrations, migrateTo } from '../src/databases/migrations.ts';
import { RecoveryError, readManifest, writeManifest } from '../src/manifest.ts';
import { checkTarget, restoreBackup } from '../src/restore-backup.ts';
import { fill, makeFolder, openSystem, readSystem, withSql } from './test-system.ts';

const report = () => undefined;
const nats = await startNats(t);

/** Creates a backup of a small system, and an empty system to restore it into. */
async function prepare(t: Test, objects: 'copied' | 'listed' = 'copied') {
  const source = await openSystem(t, nats.url);
  const keys = await fill(source);
  const directory = await makeFolder(t);
  const folder = join(directory, 'backup');
  await backUp(source, folder, { objects, report });
  const target = await openSystem(t, nats.url);
  return { source, target, folder, keys, directory };
}

async function* toBytes(given: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(given);
}

t.test('an incomplete or changed backup is rejected before anything is changed', async (t) => {
  const { target, folder, keys, directory } = await prepare(t);
  const before = await readSystem(target);
  const [key = ''] = keys;
  const cases: [string, (backup: string) => void, RegExp][] = [
    ['without its manifest', (backup) => rmSync(join(backup, 'manifest.json')), /not a complete backup/],
    [
      'with a changed manifest',
      (backup) => appendFileSync(join(backup, 'manifest.json'), ' '),
      /checksum does not match/,
    ],
    [
      'with a truncated table',
      (backup) => truncateSync(join(backup, 'databases/content/nodes.copy'), 40),
      /nodes\.copy/,
    ],
    ['without a table', (backup) => rmSync(join(backup, 'databases/media/objects.copy')), /objects\.copy/],
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
    await t.rejects(restoreBackup(target, broken, { replace: false, report }), reason, title);
    t.same(await readSystem(target), before, `${title}: nothing changed`);
  }
});

t.test('only the owner can read a backup', async (t) => {
  const source = await openSystem(t, nats.url);
  await fill(source);
  const directory = await makeFolder(t);
  const [folder, localState] = [join(directory, 'backup'), join(directory, 'data')];
  mkdirSync(folder, { mode: 0o755 });
  mkdirSync(join(localState, 'identity-provider'), { recursive: true });
  for (const file of ['seed.json', 'identity-provider/state.json']) writeFileSync(join(localState, file), '{}');
  await backUp({ ...source, localState }, folder, { objects: 'copied', report });
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
  const { source, target, folder } = await prepare(t);
  await withSql(target.databases.identity, (sql) => sql`insert into inbox (consumer, event_id) values ('a', 'b')`);
  const before = await readSystem(target);
  await t.rejects(restoreBackup(target, folder, { replace: false, report }), /identity: inbox has rows; use --replace/);
  t.same(await readSystem(target), before);
  await restoreBackup(target, folder, { replace: true, report });
  t.same(await readSystem(target), await readSystem(source));
});

t.test('a restore is rejected while a database has other connections', async (t) => {
  const { target, folder } = await prepare(t);
  await withSql(target.databases.media, async (sql) => {
    await sql`select 1`;
    await t.rejects(
      restoreBackup(target, folder, { replace: true, report }),
      /media: 1 connections .* stop the services/,
    );
  });
});

t.test('connections of other roles are found by a role that is not a superuser', async (t) => {
  const { target, folder } = await prepare(t);
  const { media } = (await readManifest(folder)).databases;
  await withSql(target.databases.media, async (sql) => {
    const role = `owner_${process.pid}`;
    await sql.unsafe(`create role ${role} login password 'secret'`);
    const url = Object.assign(new URL(target.databases.media), { username: role, password: 'secret' }).href;
    const check = checkTarget(url, 'media', media, true);
    await t.rejects(check, /media: 1 connections .* stop the services/);
    await sql.unsafe(`drop role ${role}`);
  });
});

t.test('an old backup is migrated, and one of a newer version is rejected', async (t) => {
  const { target, folder, directory } = await prepare(t);
  const manifest = await readManifest(folder);
  const { media } = manifest.databases;
  await writeManifest(folder, {
    ...manifest,
    databases: {
      ...manifest.databases,
      media: { ...media, migrations: [...media.migrations, { hash: 'later', createdAt: 1 }] },
    },
  });
  await t.rejects(
    restoreBackup(target, folder, { replace: true, report }),
    /does not know; use the version that made it/,
  );

  const [first] = knownMigrations('media');
  const old = await openSystem(t, nats.url);
  await withSql(old.databases.media, dropEverything);
  await migrateTo(old.databases.media, 'media', 1);
  const oldFolder = join(directory, 'old');
  await backUp(old, oldFolder, { objects: 'copied', report });
  t.same((await readManifest(oldFolder)).databases.media.migrations, [first]);
  const migrations = knownMigrations('media');
  for (const time of ['first', 'second']) {
    await restoreBackup(target, oldFolder, { replace: true, report });
    const rows = await withSql(target.databases.media, (sql) => sql`select hash from drizzle.__drizzle_migrations`);
    t.equal(rows.length, migrations.length, `into a database of this version, the ${time} time`);
  }
  await withSql(target.databases.media, (sql) => sql`update drizzle.__drizzle_migrations set hash = 'other'`);
  await t.rejects(
    restoreBackup(target, oldFolder, { replace: true, report }),
    /other migrations than the backup; restore into a new/,
  );
});

t.test('a backup with listed objects requires unchanged objects in the storage', async (t) => {
  const { source, target, folder, keys } = await prepare(t, 'listed');
  await t.rejects(
    restoreBackup(target, folder, { replace: false, report }),
    /not in storage; the backup only lists it/,
  );
  await restoreBackup({ ...target, storage: source.storage }, folder, { replace: false, report });
  const rows = await withSql(target.databases.media, (sql) => sql`select key from objects order by key`);
  t.same(
    rows.map(({ key }) => key),
    keys,
  );
});

t.test('objects are copied from S3 into a backup and from there into another bucket', async (t) => {
  const source = { ...(await openSystem(t, nats.url)), storage: createS3Storage((await startS3(t)).options) };
  const keys = await fill(source);
  const folder = join(await makeFolder(t), 'backup');
  await backUp(source, folder, { objects: 'copied', report });
  const target = { ...(await openSystem(t, nats.url)), storage: createS3Storage((await startS3(t)).options) };
  await restoreBackup(target, folder, { replace: false, report });
  for (const key of keys) t.equal(await text(await target.storage.open(key)), `the bytes of ${key}`);
  for (const { storage } of [source, target]) storage.close();
});

t.test('damaged objects are replaced, unfinished uploads end, and Redis is checked first', async (t) => {
  const source = await openSystem(t, nats.url);
  const [key = ''] = await fill(source);
  await withSql(
    source.databases.media,
    (sql) => sql`insert into resumable_uploads (id, kind, user_id, topic_id, file_name, length, expires_at)
      values ('one', 'video', 'a-user', 'a-topic', 'a.mp4', 9, now() + interval '1 day')`,
  );
  const folder = join(await makeFolder(t), 'backup');
  await backUp(source, folder, { objects: 'copied', report });
  const target = await openSystem(t, nats.url);
  const bytes = `the bytes of ${key}`;
  await target.storage.put(key, toBytes(bytes.toUpperCase()));
  await restoreBackup(target, folder, { replace: false, report });
  t.equal(await text(await target.storage.open(key)), bytes);
  const rows = await withSql(target.databases.media, (sql) => sql`select status from resumable_uploads`);
  t.same([...rows], [{ status: 'terminated' }]);

  const manifest = await readManifest(folder);
  await writeManifest(folder, { ...manifest, quotas: manifest.objects.list });
  const before = await readSystem(target);
  const down = { ...target, redisUrl: 'redis://127.0.0.1:1' };
  await t.rejects(restoreBackup(down, folder, { replace: true, report }), /ECONNREFUSED|closed/);
  t.same(await readSystem(target), before, 'nothing changed');
});

t.test('a restore adds the users who were anonymized since to the ledger', async (t) => {
  const source = await openSystem(t, nats.url);
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
  await backUp(source, first, { objects: 'copied', report });
  await anonymize('later');
  await backUp(source, second, { objects: 'copied', report });
  await anonymize('latest');

  const connection = await connect({ servers: nats.url });
  t.teardown(() => connection.close());
  const jetstream = connection.jetstream();
  const manager = await connection.jetstreamManager();
  const ledger = openLedger({ connected: async () => ({ connection, jetstream, manager }) }, erasureLedger);
  await restoreBackup(await openSystem(t, nats.url), first, { replace: false, report });
  t.same((await ledger.keys()).sort(), ['early', 'later'], 'from the other backups');
  await restoreBackup(source, first, { replace: true, report });
  t.same((await ledger.keys()).sort(), ['early', 'later', 'latest'], 'and from the replaced database');
});

t.test('a backup fails for a changed or missing object, or a folder that is not empty', async (t) => {
  const source = await openSystem(t, nats.url);
  const [key = ''] = await fill(source);
  const directory = await makeFolder(t);
  const folder = join(directory, 'backup');
  const file = join(source.storagePath, key.slice(-2), key);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.toString().toUpperCase());
  await t.rejects(backUp(source, folder, { objects: 'copied', report }), /object .* was changed/);
  rmSync(file);
  const another = join(directory, 'another');
  await t.rejects(backUp(source, another, { objects: 'copied', report }), /not in storage, although its row exists/);
  await t.rejects(backUp(source, another, { objects: 'copied', report }), RecoveryError, 'the folder is not empty');
  for (const incomplete of [folder, another]) await t.rejects(readManifest(incomplete), /not a complete backup/);
});

const dropEverything = (sql: Parameters<Parameters<typeof withSql>[1]>[0]) =>
  sql.unsafe('drop schema public cascade; create schema public; drop schema drizzle cascade');
