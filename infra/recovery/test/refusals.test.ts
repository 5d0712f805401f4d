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
import { startNats } from '@lms/testing/servers';
import { createS3Storage } from 'media/storage/s3';
import t, { type Test } from 'tap';
import { startS3 } from '../../../services/media/test/s3-service.ts';
import { backUp } from '../src/back-up.ts';
import { knownMigrations, migrateTo } from '../src/databases/known-migrations.ts';
import { readManifest, writeManifest } from '../src/manifest.ts';
import { RecoveryError } from '../src/recovery-error.ts';
import { restoreBackup } from '../src/restore-backup.ts';
import { fill, makeFolder, openSystem, readSystem, withSql } from './small-system.ts';

const report = () => undefined;
const nats = await startNats(t);

/** A backup of a small system, and an empty system to bring it to. */
async function stage(t: Test, objects: 'copied' | 'listed' = 'copied') {
  const source = await openSystem(t, nats.url);
  const keys = await fill(source);
  const directory = await makeFolder(t);
  const folder = join(directory, 'backup');
  await backUp(source, folder, { objects, report });
  const target = await openSystem(t, nats.url);
  return { source, target, folder, keys, directory };
}

t.test('a broken or partial backup is refused before anything is changed', async (t) => {
  const { target, folder, keys, directory } = await stage(t);
  const before = await readSystem(target);
  const [key = ''] = keys;
  const breakages: [string, (broken: string) => void, RegExp][] = [
    ['without its manifest', (broken) => rmSync(join(broken, 'manifest.json')), /no complete backup/],
    ['with a changed manifest', (broken) => appendFileSync(join(broken, 'manifest.json'), ' '), /not what was written/],
    [
      'with a table cut short',
      (broken) => truncateSync(join(broken, 'databases/content/nodes.copy'), 40),
      /nodes\.copy/,
    ],
    ['without a table', (broken) => rmSync(join(broken, 'databases/media/objects.copy')), /objects\.copy/],
    ['without an object', (broken) => rmSync(join(broken, 'objects', key.slice(-2), key)), /is not in storage/],
    [
      'with an object of other bytes',
      (broken) => writeFileSync(join(broken, 'objects', key.slice(-2), key), 'x'),
      /other bytes/,
    ],
  ];
  for (const [title, breakIt, reason] of breakages) {
    const broken = join(directory, title.replaceAll(' ', '-'));
    cpSync(folder, broken, { recursive: true });
    breakIt(broken);
    await t.rejects(restoreBackup(target, broken, { replace: false, report }), reason, title);
    t.same(await readSystem(target), before, `${title}: nothing changed`);
  }
});

t.test('everything in a backup is readable by its owner alone', async (t) => {
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
  for (const part of ['objects/', 'databases/media/', 'local/identity-provider/', 'manifest.json', 'objects.jsonl'])
    t.ok(
      paths.some((path) => path.includes(part)),
      part,
    );
  for (const [path, isFolder, mode] of modes) t.equal(mode, isFolder ? 0o700 : 0o600, path);
});

t.test('rows that are there already are only given up on request', async (t) => {
  const { source, target, folder } = await stage(t);
  await withSql(target.databases.identity, (sql) => sql`insert into inbox (consumer, event_id) values ('a', 'b')`);
  const before = await readSystem(target);
  await t.rejects(restoreBackup(target, folder, { replace: false, report }), /identity: inbox has rows already/);
  t.same(await readSystem(target), before);
  await restoreBackup(target, folder, { replace: true, report });
  t.same(await readSystem(target), await readSystem(source));
});

t.test('nobody may be at work in a database that is restored', async (t) => {
  const { target, folder } = await stage(t);
  await withSql(target.databases.media, async (sql) => {
    await sql`select 1`;
    await t.rejects(
      restoreBackup(target, folder, { replace: true, report }),
      /media: 1 connections .* stop the services/,
    );
  });
});

t.test('an old backup is brought up to date, and one from the future is refused', async (t) => {
  const { target, folder, directory } = await stage(t);
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

  const [first] = await knownMigrations('media');
  const old = await openSystem(t, nats.url);
  await withSql(old.databases.media, dropEverything);
  await migrateTo(old.databases.media, 'media', 1);
  const oldFolder = join(directory, 'old');
  await backUp(old, oldFolder, { objects: 'copied', report });
  t.same((await readManifest(oldFolder)).databases.media.migrations, [first]);
  await t.rejects(restoreBackup(target, oldFolder, { replace: true, report }), /migrations that the backup has not/);
  await withSql(target.databases.media, dropEverything);
  await restoreBackup(target, oldFolder, { replace: true, report });
  const rows = await withSql(target.databases.media, (sql) => sql`select hash from drizzle.__drizzle_migrations`);
  t.equal(rows.length, (await knownMigrations('media')).length);
});

t.test('a backup that lists its objects wants them in storage, with the bytes they had', async (t) => {
  const { source, target, folder, keys } = await stage(t, 'listed');
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

t.test('objects go from S3 into a backup and from there into another bucket', async (t) => {
  const source = { ...(await openSystem(t, nats.url)), storage: createS3Storage((await startS3(t)).options) };
  const keys = await fill(source);
  const folder = join(await makeFolder(t), 'backup');
  await backUp(source, folder, { objects: 'copied', report });
  const target = { ...(await openSystem(t, nats.url)), storage: createS3Storage((await startS3(t)).options) };
  await restoreBackup(target, folder, { replace: false, report });
  for (const key of keys) t.equal(await text(await target.storage.open(key)), `the bytes of ${key}`);
  for (const { storage } of [source, target]) storage.close();
});

t.test('no backup is made of an object that has rotted, or into a folder that is used', async (t) => {
  const source = await openSystem(t, nats.url);
  const [key = ''] = await fill(source);
  const directory = await makeFolder(t);
  const folder = join(directory, 'backup');
  const file = join(source.storagePath, key.slice(-2), key);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.toString().toUpperCase());
  await t.rejects(backUp(source, folder, { objects: 'copied', report }), /object .* has other bytes/);
  rmSync(file);
  const another = join(directory, 'another');
  await t.rejects(backUp(source, another, { objects: 'copied', report }), /not in storage, though its row says so/);
  await t.rejects(backUp(source, another, { objects: 'copied', report }), RecoveryError, 'the folder is not empty');
  for (const half of [folder, another]) await t.rejects(readManifest(half), /no complete backup/);
});

const dropEverything = (sql: Parameters<Parameters<typeof withSql>[1]>[0]) =>
  sql.unsafe('drop schema public cascade; create schema public; drop schema drizzle cascade');
