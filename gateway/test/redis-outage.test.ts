import { setTimeout as pause } from 'node:timers/promises';
import { testPrincipal } from '@lms/testing/principals';
import { startRedis } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { quotaMonth } from './quota-month.ts';
import { type Gateway, startGateway, untilRedisIsUp } from './start-gateway.ts';
import { readUsage } from './start-quotas.ts';
import { sendJson } from './start-upstream.ts';

const { month } = await quotaMonth();
const path = '/api/enrollment';
// More than the gateway writes to Redis at once.
const userCount = 120;
const document = '/api/s3/document/upload';

const untilRedisIsDown = ({ app }: Gateway) =>
  waitFor(() => !app.redis.isUp(), { until: 'the gateway to stop using Redis' });

async function start(t: Test) {
  const redis = await startRedis(t);
  const client = new Redis(redis.url);
  // Connection errors while Redis restarts are expected.
  client.on('error', () => undefined);
  t.teardown(() => {
    redis.process().kill('SIGCONT');
    client.disconnect();
  });
  const gateway = await startGateway(t, { environment: { REDIS_URL: redis.url }, options: { redisTimeoutMs: 50 } });
  return { ...gateway, gateway, redis, client };
}

const shared = await start(t);

/** The shared gateway, connected to its Redis. */
async function connected() {
  shared.upstream.respondWith(undefined);
  shared.redis.process().kill('SIGCONT');
  await untilRedisIsUp(shared.gateway);
  return shared;
}

interface User {
  userId: string;
  headers: Record<string, string>;
}

/** Waits until a count of every user has reached a number, and returns the distinct values of the count. */
async function valuesOnceAt(client: Redis, users: User[], key: 'calls' | 'uploads', count: number) {
  const rows = await waitFor(async () => {
    const usage = await Promise.all(users.map(({ userId }) => readUsage(client, `lms:quota:{${userId}}:${month}`)));
    return usage.every((row) => row[key] >= count) ? usage : undefined;
  });
  return [...new Set(rows.map((row) => row[key]))];
}

/**
 * Sends a number of successful requests of each user, at most fifty at once. A request that a busy machine makes fail is
 * refunded and sent again.
 */
async function call({ send }: Gateway, users: User[], times: number) {
  const succeed = ({ headers }: User) => waitFor(async () => (await send(path, { headers })).status === 200);
  for (let round = 0; round < times; round += 1)
    for (let first = 0; first < users.length; first += 50)
      await Promise.all(users.slice(first, first + 50).map(succeed));
}

const createUsers = ({ authHeaders }: Gateway, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (): Promise<User> => {
      const user = testPrincipal(['LEARNER', 'MENTOR']);
      return { userId: user.userId, headers: await authHeaders(user) };
    }),
  );

t.test('a gateway whose Redis is unreachable from the start logs the cause once', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  await startGateway(t, { logger });
  const written = () => lines.filter((line) => /ECONNREFUSED.*Redis is unreachable/.test(line));
  await waitFor(() => written().length > 0, { until: 'the line' });
  // Further attempts fail.
  await pause(1_000);
  t.equal(written().length, 1);
});

t.test('a Redis that refuses writes is not used until it accepts them, and its cause is logged once', async (t) => {
  const redis = await startRedis(t);
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const gateway = await startGateway(t, { environment: { REDIS_URL: redis.url }, logger });
  await untilRedisIsUp(gateway);
  const [user] = await createUsers(gateway, 1);
  if (!user) throw new Error('no user');
  await call(gateway, [user], 1);

  await client.config('SET', 'maxmemory', '1');
  await call(gateway, [user], 2);
  await untilRedisIsDown(gateway);
  const refused = async () => Number(/cmdstat_set:.*rejected_calls=(\d+)/.exec(await client.info('commandstats'))?.[1]);
  await waitFor(async () => (await refused()) >= 5, { until: 'five further attempts' });
  t.equal(lines.filter((line) => /OOM command not allowed.*Redis cannot be used/.test(line)).length, 1);
  t.notOk(gateway.app.redis.isUp());

  await client.config('SET', 'maxmemory', '0');
  await untilRedisIsUp(gateway);
  t.same(await valuesOnceAt(client, [user], 'calls', 3), [3]);
});

t.test('usage that is counted while Redis is frozen is written to Redis exactly once', async (t) => {
  const { gateway, redis, client } = await connected();
  const users = await createUsers(gateway, userCount);
  await call(gateway, users, 1);
  redis.process().kill('SIGSTOP');
  await call(gateway, users, 2);
  await untilRedisIsDown(gateway);
  redis.process().kill('SIGCONT');
  await untilRedisIsUp(gateway);
  await call(gateway, users, 1);
  t.same(await valuesOnceAt(client, users, 'calls', 4), [4], `for each of ${userCount} users`);
});

t.test('usage that is counted while Redis is down is written to Redis exactly once', async (t) => {
  const { gateway, redis, client } = await connected();
  await redis.kill();
  await untilRedisIsDown(gateway);
  const users = await createUsers(gateway, userCount);
  await call(gateway, users, 1);
  await redis.restart();
  await untilRedisIsUp(gateway);
  t.same(await valuesOnceAt(client, users, 'calls', 1), [1]);
});

t.test('short pauses of Redis cause neither lost nor duplicate counts', async (t) => {
  const { gateway, redis, client } = await connected();
  const users = await createUsers(gateway, 20);
  let isOver = false;
  let rounds = 0;
  const calling = (async () => {
    for (; !isOver; rounds += 1) await call(gateway, users, 1);
  })();
  for (const frozenMs of [200, 100, 400, 200]) {
    const before = rounds;
    await waitFor(() => rounds > before + 2, { until: 'requests that are counted in Redis' });
    redis.process().kill('SIGSTOP');
    await pause(frozenMs);
    redis.process().kill('SIGCONT');
    await untilRedisIsUp(gateway);
  }
  isOver = true;
  await calling;
  await untilRedisIsUp(gateway);
  t.same(await valuesOnceAt(client, users, 'calls', rounds), [rounds]);
});

t.test('uploads that begin or end while Redis is frozen count once each', async (t) => {
  const { gateway, redis, client, send, upstream } = await connected();
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
  const duringOutage = upload();
  await waitFor(() => finish.length === 6, { until: 'the uploads begun while Redis is frozen to run' });
  for (const end of finish) end();
  t.same(new Set((await Promise.all([...begun, ...duringOutage])).map(({ status }) => status)), new Set([201]));
  // Longer than the timeout of a command.
  await pause(2_500);
  redis.process().kill('SIGCONT');
  t.same(await valuesOnceAt(client, users, 'uploads', 2), [2]);
  t.same(await valuesOnceAt(client, users, 'calls', 2), [2]);
});

t.test('a gateway that shuts down writes pending usage to Redis', async (t) => {
  const { gateway, client, send, app, upstream } = await start(t);
  const users = await createUsers(gateway, 40);
  upstream.respondWith((incoming, outgoing) => {
    incoming.resume();
    sendJson(outgoing, 201, { success: true });
  });
  await Promise.all(users.map(({ headers }) => send(document, { method: 'POST', headers, body: 'bytes' })));
  app.server.closeAllConnections();
  await app.close();
  t.same(await valuesOnceAt(client, users, 'uploads', 1), [1]);
});
