import { setTimeout as pause } from 'node:timers/promises';
import { testPrincipal } from '@lms/testing/principals';
import { freePort, startRedis } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { startGateway } from './start-gateway.ts';
import { sendJson } from './start-upstream.ts';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

const path = '/api/enrollment';
const document = '/api/s3/document/upload';

const redisStatus = async ({ send }: Gateway) => (await send('/readyz')).json.checks.redis;
const untilRedisIsUp = (gateway: Gateway) =>
  waitFor(async () => (await redisStatus(gateway)) === 'ok', { until: 'Redis to count' });
const untilRedisIsDown = (gateway: Gateway) =>
  waitFor(async () => (await redisStatus(gateway)) !== 'ok', { until: 'Redis to be missed' });

async function start(t: Test, ...options: string[]) {
  const redis = await startRedis(t, ...options);
  const gateway = await startGateway(t, { environment: { REDIS_URL: redis.url } });
  t.teardown(() => redis.process().kill('SIGCONT'));
  return { ...gateway, gateway, redis };
}

interface User {
  userId: string;
  headers: Record<string, string>;
}

/** What Redis holds of users' months: calls without those that were given back, uploads, and uploads that run. */
async function stored(t: Test, redisUrl: string, users: User[]) {
  const client = new Redis(redisUrl);
  t.teardown(() => client.disconnect());
  const month = new Date().toISOString().slice(0, 7);
  return Promise.all(
    users.map(async ({ userId }) => {
      const usage = await client.hmget(`lms:quota:{${userId}}:${month}`, 'calls', 'refunded', 'uploads');
      const [calls = 0, refunded = 0, uploads = 0] = usage.map(Number);
      return { calls: calls - refunded, uploads, running: await client.zcard(`lms:quota:{${userId}}:running`) };
    }),
  );
}

/** The different values of a count. */
const valuesOf = async <K extends string>(rows: Promise<Record<K, number>[]>, key: K) =>
  [...new Set((await rows).map((row) => row[key]))].toSorted();

/** Sends so many calls of each user, some at a time. */
async function call({ send }: Gateway, users: User[], times: number) {
  for (let round = 0; round < times; round += 1) {
    const responses = await Promise.all(users.map(({ headers }) => send(path, { headers })));
    for (const { status } of responses) if (status !== 200) throw new Error(`status ${status}`);
  }
}

const createUsers = ({ authHeaders }: Gateway, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (): Promise<User> => {
      const user = testPrincipal(['LEARNER', 'MENTOR']);
      return { userId: user.userId, headers: await authHeaders(user) };
    }),
  );

t.test('what is counted while Redis is frozen arrives exactly once', async (t) => {
  const { gateway, redis } = await start(t);
  await untilRedisIsUp(gateway);
  const users = await createUsers(gateway, 250);
  await call(gateway, users, 2);
  redis.process().kill('SIGSTOP');
  await call(gateway, users, 6);
  await untilRedisIsDown(gateway);
  redis.process().kill('SIGCONT');
  await untilRedisIsUp(gateway);
  await call(gateway, users, 1);
  t.same(await valuesOf(stored(t, redis.url, users), 'calls'), [9], 'the same for each of 250 users');
});

t.test('what is counted before Redis is there at all arrives exactly once', async (t) => {
  const { gateway, redis } = await start(t);
  await untilRedisIsUp(gateway);
  await redis.kill();
  await untilRedisIsDown(gateway);
  const users = await createUsers(gateway, 120);
  await call(gateway, users, 5);
  await redis.restart();
  await untilRedisIsUp(gateway);
  t.same(await valuesOf(stored(t, redis.url, users), 'calls'), [5]);
});

t.test('short silences of Redis count nothing twice and lose nothing', async (t) => {
  const { gateway, redis } = await start(t);
  await untilRedisIsUp(gateway);
  const users = await createUsers(gateway, 20);
  let isOver = false;
  let rounds = 0;
  const calling = (async () => {
    for (; !isOver; rounds += 1) await call(gateway, users, 1);
  })();
  for (const silenceMs of [200, 100, 400, 200]) {
    const before = rounds;
    await waitFor(() => rounds > before + 2, { until: 'calls that Redis counts' });
    redis.process().kill('SIGSTOP');
    await pause(silenceMs);
    redis.process().kill('SIGCONT');
    await untilRedisIsUp(gateway);
  }
  isOver = true;
  await calling;
  await untilRedisIsUp(gateway);
  t.same(await valuesOf(stored(t, redis.url, users), 'calls'), [rounds]);
});

t.test('uploads that begin or end in a silence count once each, and leave nothing reserved', async (t) => {
  const { gateway, redis, send, upstream } = await start(t);
  await untilRedisIsUp(gateway);
  const users = await createUsers(gateway, 3);
  const finish: (() => void)[] = [];
  upstream.respondWith((incoming, outgoing) => {
    incoming.resume();
    finish.push(() => sendJson(outgoing, 201, { success: true }));
  });
  const upload = () => users.map(({ headers }) => send(document, { method: 'POST', headers, body: 'bytes' }));
  const begun = upload();
  await waitFor(() => finish.length === 3, { until: 'the uploads to run' });
  redis.process().kill('SIGSTOP');
  const silent = upload();
  await waitFor(() => finish.length === 6, { until: 'the uploads of the silence to run' });
  for (const end of finish) end();
  t.same(new Set((await Promise.all([...begun, ...silent])).map(({ status }) => status)), new Set([201]));
  // As long as a timeout of seconds would be.
  await pause(2_500);
  redis.process().kill('SIGCONT');
  await untilRedisIsUp(gateway);
  await waitFor(async () => (await stored(t, redis.url, users)).every(({ running }) => running === 0), {
    until: 'the reservations to end',
  });
  t.same(await valuesOf(stored(t, redis.url, users), 'uploads'), [2]);
  t.same(await valuesOf(stored(t, redis.url, users), 'calls'), [2]);
});

t.test('a gateway that ends tells Redis what it has not told yet', async (t) => {
  const { gateway, redis, send, app, upstream } = await start(t);
  await untilRedisIsUp(gateway);
  const users = await createUsers(gateway, 40);
  upstream.respondWith((incoming, outgoing) => {
    incoming.resume();
    sendJson(outgoing, 201, { success: true });
  });
  await Promise.all(users.map(({ headers }) => send(document, { method: 'POST', headers, body: 'bytes' })));
  app.server.closeAllConnections();
  await app.close();
  t.same(await valuesOf(stored(t, redis.url, users), 'uploads'), [1]);
});

t.test('the keys of a user lie in one slot of a Redis Cluster', async (t) => {
  const busPort = await freePort();
  const { gateway, redis, send } = await start(t, '--cluster-enabled', 'yes', '--cluster-port', String(busPort));
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await untilRedisIsUp(gateway);
  const users = await createUsers(gateway, 5);
  await call(gateway, users, 2);
  for (const { headers } of users)
    t.equal((await send(document, { method: 'POST', headers, body: 'bytes' })).status, 200);
  await untilRedisIsUp(gateway);
  await waitFor(async () => (await stored(t, redis.url, users)).every(({ uploads }) => uploads === 1));
  t.same(await valuesOf(stored(t, redis.url, users), 'calls'), [3]);
});
