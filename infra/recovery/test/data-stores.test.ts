import { join } from 'node:path';
import { startNats } from '@lms/testing/servers';
import { Redis } from 'ioredis';
import { type Database, databases, provisionDatabase } from 'local/databases';
import { startPostgres, startRedis } from 'local/embedded';
import { loadOrCreateSecrets } from 'local/secrets';
import t from 'tap';
import { runProgram } from '../../local/test/programs/run-program.ts';
import { readManifest } from '../src/manifest.ts';
import { migrateTo } from './migrate-to.ts';
import { makeFolder, withSql } from './test-system.ts';

const directory = await makeFolder(t);
const nats = await startNats(t);
const server = await startPostgres({ directory: join(directory, 'postgres'), settings: { fsync: 'off' } });
t.teardown(server.stop);

const owners: Record<string, string> = {};
for (const name of databases) owners[`${name.toUpperCase()}_DATABASE_URL`] = await prepare(name);

async function prepare(name: Database): Promise<string> {
  const { owner } = await provisionDatabase(server.url, name, { owner: 'owner-password', service: 'service-password' });
  // The first backup is one of an earlier version.
  await migrateTo(owner, name, 1);
  return owner;
}

/** Runs a command. By default, there is no local stack. */
async function run(name: string, args: string[], settings: Record<string, string | undefined>) {
  const folders = { DATA_DIR: join(directory, 'empty'), STORAGE_PATH: join(directory, 'storage') };
  const program = runProgram(t, `infra/recovery/src/${name}.ts`, args, { ...folders, ...settings });
  return { code: await program.ended, output: program.output() };
}

t.test('external stores are configured one by one, each is required, and NATS for a restore', async (t) => {
  const folder = join(directory, 'four');
  const redis = await startRedis({ directory: join(directory, 'external-redis') });
  t.teardown(redis.stop);
  const settings = { ...owners, REDIS_URL: redis.url };
  t.match(await run('backup', [folder], owners), { code: 78, output: /REDIS_URL: is required/ });
  const withoutStorage = { ...settings, STORAGE_PATH: undefined };
  t.match(await run('backup', [folder], withoutStorage), {
    code: 78,
    output: /S3_BUCKET or STORAGE_PATH: is required/,
  });
  t.match(await run('backup', [folder], settings), { code: 0, output: /done/ });
  t.match(await run('restore', [folder], settings), { code: 78, output: /NATS_URL: is required/ });
  const withoutRedis = { ...settings, NATS_URL: nats.url, REDIS_URL: 'redis://127.0.0.1:1' };
  t.match(await run('restore', [folder], withoutRedis), { code: 1, output: /ECONNREFUSED/ });
  for (const time of ['first', 'second'])
    t.match(await run('restore', [folder], { ...settings, NATS_URL: nats.url }), { code: 0, output: /done/ }, time);
  const service = Object.assign(new URL(owners.CONTENT_DATABASE_URL ?? ''), {
    username: 'content',
    password: 'service-password',
  }).href;
  t.same([...(await withSql(service, (sql) => sql`select from nodes`))], [], 'a service may read its tables');
});

t.test('with the URL of a superuser of PostgreSQL, the other servers are those of DATA_DIR', async (t) => {
  const folder = join(directory, 'one');
  const data = join(directory, 'data');
  const settings = { POSTGRES_URL: server.url, DATA_DIR: data };
  const key = `lms:quota:{someone}:${new Date().toISOString().slice(0, 7)}`;
  const withRedis = async <T>(work: (redis: Redis) => Promise<T>) => {
    const { url, stop } = await startRedis({ directory: join(data, 'redis') });
    const redis = new Redis(url);
    return work(redis).finally(async () => {
      redis.disconnect();
      await stop();
    });
  };
  await withRedis((redis) => redis.hset(key, { apiCalls: '7' }));
  t.match(await run('backup', [folder], settings), { code: 0, output: /done/ });
  await withRedis((redis) => redis.del(key));
  t.match(await run('restore', [join(directory, 'four', 'databases')], settings), {
    code: 1,
    output: /not a complete/,
  });
  const [row] = await withSql(owners.IDENTITY_DATABASE_URL ?? '', (sql) => sql`select current_user as name`);
  t.equal(row?.name, 'identity_owner', 'a restore that is refused has not changed passwords');
  t.match(await run('restore', [folder], settings), { code: 0, output: /done/ });
  t.same(await withRedis((redis) => redis.hgetall(key)), { apiCalls: '7' });
});

t.test('a local stack may have external databases only', async (t) => {
  const settings: Record<string, string> = { DATA_DIR: join(directory, 'data') };
  const { databases: passwords } = loadOrCreateSecrets(join(directory, 'data'));
  for (const [setting, url] of Object.entries(owners)) {
    const name = databases.find((one) => setting.startsWith(one.toUpperCase())) ?? 'identity';
    settings[setting] = Object.assign(new URL(url), { password: passwords[name].owner }).href;
  }
  const folder = join(directory, 'external');
  t.match(await run('backup', [folder], settings), { code: 0, output: /done/ });
  t.ok(
    (await readManifest(folder)).files.some(({ path }) => path === 'quotas.json'),
    'the Redis of the stack is included',
  );
  t.match(await run('restore', [folder], settings), { code: 0, output: /done/ });
});

t.test('invalid arguments exit with 64, invalid settings with 78, and --help with 0', async (t) => {
  t.match(await run('backup', ['--help'], owners), { code: 0, output: /Usage.*--list-objects/s });
  t.match(await run('backup', [], owners), { code: 64, output: /Usage/ });
  t.match(await run('restore', ['a', 'b'], owners), { code: 64, output: /Usage/ });
  t.match(await run('backup', ['a'], { POSTGRES_URL: 'mysql://x' }), { code: 78, output: /POSTGRES_URL: must be/ });
});
