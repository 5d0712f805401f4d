import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { streamName } from '@lms/contracts/events/definition';
import { waitFor } from '@lms/testing/wait-for';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { databases } from 'local/databases';
import { startPostgres } from 'local/embedded';
import { connect } from 'nats';
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { makeDirectory, runProgram } from '../../local/test/programs/run-program.ts';
import { checkSampleContent, killWhileSeeding } from './interrupted-seeding.ts';
import { readDatabase, readFiles } from './read-back.ts';

const Server = Type.Object({ url: Type.String() });
const Stack = Type.Object({ gateway: Server, identityProvider: Server, nats: Server });
const readStack = (directory: string) => JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8'));
const settings = { GATEWAY_PORT: '0', IDP_PORT: '0', LOG_LEVEL: 'warn' };

const runStart = (t: Test, directory: string) =>
  runProgram(t, 'infra/local/src/start.ts', [], { ...settings, DATA_DIR: directory });

/** Starts a local stack on free ports, with the sample content. */
async function startSystem(t: Test, directory: string) {
  const program = runStart(t, directory);
  let hasEnded = false;
  program.ended.then(() => {
    hasEnded = true;
  });
  const isReady = () => {
    if (hasEnded) throw new Error(`the system exited: ${program.output()}`);
    return program.output().includes('system is ready');
  };
  await waitFor(isReady, { timeoutMs: 120_000, until: 'the system' });
  const { gateway, identityProvider, nats } = Value.Parse(Stack, readStack(directory));
  return {
    gateway: gateway.url,
    provider: identityProvider.url,
    nats: nats.url,
    async stop() {
      program.kill('SIGTERM');
      t.equal(await program.ended, 0);
    },
  };
}

/** Reads all databases and objects while the stack is stopped. */
async function readData(directory: string) {
  const server = await startPostgres({ directory: join(directory, 'postgres') });
  const contents: Record<string, Awaited<ReturnType<typeof readDatabase>>> = {};
  for (const name of databases)
    contents[name] = await readDatabase(Object.assign(new URL(server.url), { pathname: name }).href);
  await server.stop();
  return { databases: contents, objects: readFiles(join(directory, 'storage')) };
}

async function signIn(provider: string, username: string) {
  const form = { grant_type: 'password', client_id: 'lms-local', username, password: 'password' };
  const response = await fetch(`${provider}/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = JSON.parse(await response.text());
  return { authorization: `Bearer ${token}` };
}

async function countMessages(natsUrl: string) {
  const connection = await connect({ servers: natsUrl });
  const info = await (await connection.jetstreamManager()).streams.info(streamName).catch(() => undefined);
  await connection.close();
  return info?.state.messages ?? 0;
}

// The provider sends one for each of its four accounts.
const expectedWebhooks = 4;

// One statement for each database, so that work that ends and its event in the outbox are seen at the same moment.
const unpublished = 'select from outbox where published_at is null';
const unerased = 'select from erasures where stream_erased_at is null';
const work: Record<(typeof databases)[number], string> = {
  identity: `${unpublished} union all ${unerased} union all
    select from inbox where consumer = 'webhook' having count(*) < ${expectedWebhooks}`,
  content: `${unpublished} union all ${unerased}`,
  media: `${unpublished} union all select from video_processing where status in ('none', 'queued', 'processing')`,
  enrollment: unpublished,
};

/** Waits until all webhooks have arrived, all videos are processed, and all events are published and handled. */
async function untilIdle(directory: string, natsUrl: string, until: string) {
  const { postgres: server } = Value.Parse(Type.Object({ postgres: Server }), readStack(directory));
  const connection = await connect({ servers: natsUrl });
  const opened = databases.map((name) => {
    const { href } = Object.assign(new URL(server.url), { pathname: name });
    return [name, postgres(href, { max: 1, onnotice: () => undefined })] as const;
  });
  const { streams, consumers } = await connection.jetstreamManager();
  const readLast = async () => (await streams.info(streamName)).state.last_seq;
  const isIdle = async () => {
    const last = await readLast();
    const handlers = await consumers.list(streamName).next();
    if (handlers.some(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending > 0)) return false;
    const rows = await Promise.all(opened.map(([name, sql]) => sql.unsafe(work[name])));
    return rows.every(({ length }) => length === 0) && (await readLast()) === last;
  };
  try {
    await waitFor(isIdle, { until });
  } finally {
    await Promise.all([connection.close(), ...opened.map(([, sql]) => sql.end())]);
  }
}

t.test('interrupted seeding is completed, and a backup restores all data after everything was deleted', async (t) => {
  const directory = makeDirectory(t);
  const inDirectory = (name: string) => join(directory, name);
  const [data, earlier, folder] = [inDirectory('data'), inDirectory('earlier'), inDirectory('backup')];
  const command = (name: string, ...args: string[]) =>
    runProgram(t, `infra/recovery/src/${name}.ts`, args, { ...settings, DATA_DIR: data });

  await killWhileSeeding(t, data, runStart(t, data));
  const first = await startSystem(t, data);
  const learner = await signIn(first.provider, 'learner@lms.test');
  await checkSampleContent(t, first.gateway, learner);

  const headers = { ...learner, 'content-type': 'application/json' };
  const body = JSON.stringify({ firstName: 'Été — \\N\t"quoted"' });
  t.equal((await fetch(`${first.gateway}/api/auth/profile`, { method: 'PUT', headers, body })).status, 200);
  const erased = { email: 'erased@lms.test', password: 'password', firstName: 'Erased' };
  await fetch(`${first.provider}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(erased),
  });
  const profileOf = async (gateway: string, authorized: Record<string, string>) =>
    JSON.parse(await (await fetch(`${gateway}/api/auth/profile`, { headers: authorized })).text()).data;
  const { id: erasedId } = await profileOf(first.gateway, await signIn(first.provider, erased.email));
  const eventCount = await countMessages(first.nats);

  await untilIdle(data, first.nats, 'all events to be handled');

  const backupBefore = command('backup', earlier);
  t.equal(await backupBefore.ended, 0, backupBefore.output());
  const admin = await signIn(first.provider, 'admin@lms.test');
  const anonymized = await fetch(`${first.gateway}/api/users/${erasedId}/anonymize`, {
    method: 'POST',
    headers: admin,
  });
  t.equal(anonymized.status, 200);
  await untilIdle(data, first.nats, 'the anonymization');

  // Nothing is changed from here on, so that the backup can be compared with the data of the stopped system.
  const backup = command('backup', folder);
  t.equal(await backup.ended, 0, backup.output());
  const early = command('restore', folder, '--replace');
  t.equal(await early.ended, 1);
  t.match(early.output(), 'A stack is already running', 'a running system cannot be overwritten');
  await first.stop();

  const before = await readData(data);
  rmSync(data, { recursive: true });
  const restore = command('restore', folder);
  t.equal(await restore.ended, 0, restore.output());
  const after = await readData(data);
  for (const name of databases) t.same(after.databases[name], before.databases[name], name);
  t.same(after.objects, before.objects, 'every object, byte by byte');
  t.ok(Object.keys(after.objects).length > 0);
  const counts = databases.map((name) => Object.values(after.databases[name]?.tables ?? {}).flat().length);
  t.ok(
    counts.every((count) => count > 0),
    `rows: ${counts}`,
  );

  // An earlier backup brings back what was erased after it, until identity has read the ledger.
  const restoreEarlier = command('restore', earlier, '--replace');
  t.equal(await restoreEarlier.ended, 0, restoreEarlier.output());
  const second = await startSystem(t, data);
  const adminAgain = await signIn(second.provider, 'admin@lms.test');
  const readErased = async () =>
    (await fetch(`${second.gateway}/api/users/${erasedId}`, { headers: adminAgain })).text();
  await waitFor(async () => (await readErased()).includes('"identityProviderId":null'), { until: 'the erasure' });
  t.notMatch(await readErased(), /erased@lms\.test|"Erased"/);
  const again = await signIn(second.provider, 'learner@lms.test');
  const profile = await fetch(`${second.gateway}/api/auth/profile`, { headers: again });
  t.match(JSON.parse(await profile.text()), { data: { firstName: 'Été — \\N\t"quoted"', roles: ['LEARNER'] } });
  await waitFor(async () => (await countMessages(second.nats)) >= eventCount, {
    until: `${eventCount} events to be published again`,
  });
  const usage = await fetch(`${second.gateway}/api/auth/usage`, { headers: again });
  t.ok(JSON.parse(await usage.text()).data.apiCalls.used >= 3, 'the usage of the quota is restored');
  await second.stop();

  // The events were published again, but not handled twice.
  const end = await readData(data);
  t.same(end.databases.enrollment?.tables.enrollments, before.databases.enrollment?.tables.enrollments);
  t.same(end.databases.content?.tables.nodes, before.databases.content?.tables.nodes);
  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  t.notMatch(manifest, /postgres:\/\/|password/, 'the manifest contains no passwords');
});
