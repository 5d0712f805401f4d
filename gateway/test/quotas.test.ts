import { request } from 'node:http';
import type { Plan } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { startRedis } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { quotaMonth } from './quota-month.ts';
import { type Gateway, startGateway, untilRedisIsUp } from './start-gateway.ts';
import { sendJson } from './start-upstream.ts';

type Headers = Record<string, string>;

const { month, end: nextMonth } = await quotaMonth();

async function start(t: Test, given: Parameters<typeof startGateway>[1] = {}) {
  const redis = await startRedis(t);
  const gateway = await startGateway(t, { ...given, environment: { REDIS_URL: redis.url, ...given.environment } });
  const client = new Redis(redis.url);
  // Connection errors while Redis restarts are expected.
  client.on('error', () => undefined);
  t.teardown(() => client.disconnect());
  return { ...gateway, redis, client };
}

/** Sets the usage of a user's month in Redis. */
const store = (client: Redis, userId: string, usage: { calls?: number; uploads?: number }) =>
  client.hset(`lms:quota:{${userId}}:${month}`, usage);

/** The calls of a user's month in Redis, minus refunds. */
async function storedCalls(client: Redis, userId: string): Promise<number> {
  const [calls, refunded] = await client.hmget(`lms:quota:{${userId}}:${month}`, 'calls', 'refunded');
  return Number(calls) - Number(refunded);
}

/** The uploads of a user's month in Redis, running ones included, minus failed ones. */
async function storedUploads(client: Redis, userId: string): Promise<number> {
  const [uploads, failed] = await client.hmget(`lms:quota:{${userId}}:${month}`, 'uploads', 'failed');
  return Number(uploads) - Number(failed);
}

const usageOf = async ({ send }: Pick<Gateway, 'send'>, headers: Headers) =>
  (await send('/api/auth/usage', { headers })).json.data;

t.test('calls count against the plan, and the one over the quota returns 429 with its details', async (t) => {
  const { send, authHeaders, client } = await start(t);
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  const first = await send('/api/enrollment', { headers });
  t.match(first.headers, {
    'x-quota-limit': '1000',
    'x-quota-remaining': '999',
    'x-quota-reset': String(nextMonth.getTime() / 1_000),
  });
  await store(client, learner.userId, { calls: 999 });
  t.match(await send('/api/enrollment', { headers }), { status: 200, headers: { 'x-quota-remaining': '0' } });
  const refused = await send('/api/enrollment', { headers });
  t.match(refused, { status: 429, headers: { 'x-quota-limit': '1000', 'x-quota-remaining': '0' } });
  t.match(refused.json, {
    code: 'QUOTA_EXCEEDED',
    details: { plan: 'FREE', metric: 'apiCalls', limit: 1_000, used: 1_000, resetsAt: nextMonth.toISOString() },
  });
  t.ok(Number(refused.headers['retry-after']) > 0);
  await waitFor(async () => (await storedCalls(client, learner.userId)) === 1_000, {
    until: 'the rejected call to be given back',
  });
});

t.test('each plan has its own quota; ENTERPRISE has none, and admins are exempt', async (t) => {
  const { send, authHeaders } = await start(t);
  const limitOf = async (plan: Plan, roles = testPrincipal().roles) =>
    (await send('/api/enrollment', { headers: await authHeaders(testPrincipal(roles, { plan })) })).headers[
      'x-quota-limit'
    ];
  t.equal(await limitOf('FREE'), '1000');
  t.equal(await limitOf('PRO'), '10000');
  t.equal(await limitOf('ENTERPRISE'), undefined);
  t.equal(await limitOf('FREE', ['ADMIN']), undefined);
});

t.test('authenticated calls count unless the response is a 5xx', async (t) => {
  const gateway = await start(t);
  const { send, authHeaders, upstream, client } = gateway;
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  const storedCallCount = () => storedCalls(client, learner.userId);
  await send('/api/education/levels');
  await send('/api/education/levels', { headers });
  upstream.respondWith((_incoming, outgoing) =>
    sendJson(outgoing, 404, { success: false, error: 'x', code: 'NOT_FOUND' }),
  );
  t.match(await send('/api/enrollment', { headers }), { status: 404, headers: { 'x-quota-remaining': '998' } });
  for (const status of [500, 502, 503]) {
    upstream.respondWith((_incoming, outgoing) => sendJson(outgoing, status, { success: false }));
    t.match(await send('/api/enrollment', { headers }), { status, headers: { 'x-quota-remaining': '998' } });
    await waitFor(async () => (await storedCallCount()) === 2, { until: 'the failed call to be refunded' });
  }
  t.equal((await usageOf(gateway, headers)).apiCalls.used, 3, 'two, and this request');
});

const document = '/api/s3/document/upload';

t.test('concurrent uploads cannot exceed the quota: running ones are reserved, failed ones refunded', async (t) => {
  const gateway = await start(t);
  const { send, authHeaders, upstream, client } = gateway;
  const mentor = testPrincipal(['MENTOR']);
  const headers = await authHeaders(mentor);
  await store(client, mentor.userId, { uploads: 7 });

  const pending: (() => void)[] = [];
  let status = 201;
  upstream.respondWith((incoming, outgoing) => {
    incoming.resume();
    pending.push(() => sendJson(outgoing, status, { success: true }));
  });
  const burst = () => Array.from({ length: 8 }, () => send(document, { method: 'POST', headers, body: 'bytes' }));
  const finish = () => {
    for (const respond of pending.splice(0)) respond();
  };

  const failing = burst();
  await waitFor(() => pending.length === 3, { until: 'three uploads to run' });
  const refused = await Promise.race(failing);
  t.match(refused, {
    status: 429,
    headers: { 'x-quota-limit': '10', 'x-quota-remaining': '0' },
    json: { code: 'QUOTA_EXCEEDED', details: { plan: 'FREE', metric: 'uploads', limit: 10, used: 10 } },
  });
  status = 400;
  finish();
  t.equal((await Promise.all(failing)).filter((response) => response.status === 429).length, 5);
  await waitFor(async () => (await storedUploads(client, mentor.userId)) === 7, {
    until: 'the failed uploads to be given back',
  });
  t.equal((await usageOf(gateway, headers)).uploads.used, 7);

  status = 201;
  const working = burst();
  await waitFor(() => pending.length === 3, { until: 'three uploads to run' });
  finish();
  t.equal((await Promise.all(working)).filter((response) => response.status === 201).length, 3);
  await waitFor(async () => (await usageOf(gateway, headers)).uploads.used === 10, { until: 'the uploads to count' });
  t.match(await send(document, { method: 'POST', headers, body: 'bytes' }), {
    status: 429,
    json: { details: { metric: 'uploads', used: 10 } },
  });
});

t.test('X-Quota-Remaining does not include the upload that failed', async (t) => {
  const { send, authHeaders, upstream, client } = await start(t);
  const mentor = testPrincipal(['MENTOR']);
  const headers = await authHeaders(mentor);
  let succeeded = 0;
  for (const [status, left] of [
    [422, '10'],
    [503, '10'],
    [201, '9'],
    [400, '9'],
  ] as const) {
    upstream.respondWith((incoming, outgoing) => {
      incoming.resume();
      sendJson(outgoing, status, { success: status < 300 });
    });
    const { headers: received } = await send(document, { method: 'POST', headers, body: 'bytes' });
    t.equal(received['x-quota-remaining'], left, `after ${status}`);
    if (status === 201) succeeded += 1;
    await waitFor(async () => (await storedUploads(client, mentor.userId)) === succeeded);
  }
});

t.test('an upload whose client disconnects is given back', async (t) => {
  const gateway = await start(t);
  const { authHeaders, upstream, client, url } = gateway;
  const mentor = testPrincipal(['MENTOR']);
  const headers = await authHeaders(mentor);
  let arrived = false;
  upstream.respondWith((incoming) => {
    arrived = true;
    incoming.on('error', () => undefined).resume();
  });
  const upload = request(url + document, { method: 'POST', headers }).on('error', () => undefined);
  upload.write(Buffer.alloc(1_024));
  await waitFor(() => arrived, { until: 'the upload to arrive' });
  t.equal(await storedUploads(client, mentor.userId), 1);
  upload.destroy();
  await waitFor(async () => (await storedUploads(client, mentor.userId)) === 0, {
    until: 'the upload to be given back',
  });
  t.equal((await usageOf(gateway, headers)).uploads.used, 0);
});

t.test('an upload whose client disconnects while it is counted does not count', async (t) => {
  const redis = await startRedis(t);
  const mentor = testPrincipal(['MENTOR']);
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  await store(client, mentor.userId, { uploads: 9 });
  const gateway = await startGateway(t, { environment: { REDIS_URL: redis.url }, options: { redisTimeoutMs: 50 } });
  const { app, url, send, authHeaders } = gateway;
  const headers = await authHeaders(mentor);
  await waitFor(async () => (await usageOf(gateway, headers)).uploads.used === 9);

  redis.process().kill('SIGSTOP');
  t.teardown(() => redis.process().kill('SIGCONT'));
  const leaving = request(url + document, { method: 'POST', headers }).on('error', () => undefined);
  leaving.write('bytes', () => leaving.destroy());
  await waitFor(() => !app.redis.isUp(), { until: 'the gateway to stop using Redis' });
  await waitFor(async () => (await send(document, { method: 'POST', headers, body: 'bytes' })).status === 200, {
    until: 'the tenth upload to be accepted',
  });
  t.equal((await send(document, { method: 'POST', headers, body: 'bytes' })).status, 429);
});

t.test('an upload that ends while Redis is frozen counts once when it is back', async (t) => {
  const gateway = await start(t, { options: { redisTimeoutMs: 50 } });
  const { app, send, authHeaders, upstream, client, redis } = gateway;
  const mentor = testPrincipal(['MENTOR']);
  const headers = await authHeaders(mentor);
  await store(client, mentor.userId, { uploads: 8 });
  await waitFor(async () => (await usageOf(gateway, headers)).uploads.used === 8, { until: 'the usage to be known' });
  let sendResponse: (() => void) | undefined;
  upstream.respondWith((incoming, outgoing) => {
    incoming.resume();
    sendResponse = () => sendJson(outgoing, 201, { success: true });
  });
  const upload = () => send(document, { method: 'POST', headers, body: 'bytes' });
  const ninth = upload();
  await waitFor(() => sendResponse !== undefined, { until: 'the upload to run' });
  redis.process().kill('SIGSTOP');
  t.teardown(() => redis.process().kill('SIGCONT'));
  await send('/api/education/levels', { method: 'OPTIONS' });
  await waitFor(() => !app.redis.isUp(), { until: 'the gateway to stop using Redis' });
  sendResponse?.();
  t.equal((await ninth).status, 201);
  redis.process().kill('SIGCONT');
  await untilRedisIsUp(gateway);
  upstream.respondWith(undefined);
  t.equal((await upload()).status, 200, 'the tenth is accepted');
  t.equal((await upload()).status, 429);
});

t.test('the usage route returns the plan, the month and the counts, and counts itself', async (t) => {
  const gateway = await start(t);
  const headers = await gateway.authHeaders();
  const { status, json, headers: responseHeaders } = await gateway.send('/api/auth/usage', { headers });
  t.equal(status, 200);
  t.match(responseHeaders, { etag: /^"[^"]+"$/, 'cache-control': 'private, no-cache' });
  t.same(json, {
    success: true,
    data: {
      plan: 'FREE',
      period: { start: `${month}-01T00:00:00.000Z`, end: nextMonth.toISOString() },
      apiCalls: { used: 1, limit: 1_000 },
      uploads: { used: 0, limit: 10 },
    },
  });
  const admin = await gateway.authHeaders(testPrincipal(['ADMIN'], { plan: 'ENTERPRISE' }));
  t.match(await usageOf(gateway, admin), {
    plan: 'ENTERPRISE',
    apiCalls: { used: 1, limit: null },
    uploads: { used: 0, limit: null },
  });
  t.match(await gateway.send('/api/auth/usage'), { status: 401 });
});

t.test('usage is not lost when Redis restarts', async (t) => {
  const gateway = await start(t);
  const { send, authHeaders, redis, client } = gateway;
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  for (let calls = 0; calls < 5; calls += 1) await send('/api/enrollment', { headers });
  await redis.kill();
  for (let calls = 0; calls < 3; calls += 1) t.equal((await send('/api/enrollment', { headers })).status, 200);
  t.equal((await usageOf(gateway, headers)).apiCalls.used, 9, 'also while it is down');
  await redis.restart();
  await untilRedisIsUp(gateway);
  t.equal((await usageOf(gateway, headers)).apiCalls.used, 10);
  await waitFor(async () => (await storedCalls(client, learner.userId)) === 10, {
    until: 'the usage to be written to Redis',
  });
  const { issuer, upstream, passportKeys } = gateway;
  const other = await startGateway(t, { issuer, upstream, passportKeys, environment: { REDIS_URL: redis.url } });
  t.equal((await usageOf(other, headers)).apiCalls.used, 11, 'usage counted while Redis was down was written to it');
});

t.test('usage is written back after Redis was flushed', async (t) => {
  const gateway = await start(t);
  const { send, authHeaders, client } = gateway;
  const [learner, absent] = [testPrincipal(), testPrincipal()];
  const [headers, others] = [await authHeaders(learner), await authHeaders(absent)];
  for (let calls = 0; calls < 5; calls += 1) await send('/api/enrollment', { headers });
  for (let calls = 0; calls < 4; calls += 1) await send('/api/enrollment', { headers: others });
  await client.flushall();
  await send('/api/enrollment', { headers });
  await waitFor(async () => (await storedCalls(client, absent.userId)) === 4, {
    until: 'usage to be written back',
  });
  t.equal((await usageOf(gateway, headers)).apiCalls.used, 7);
});

t.test(
  'after Redis was flushed, the calls of two gateways are counted once each, also those that only one knew',
  async (t) => {
    const gateway = await start(t);
    const { send, authHeaders, client, redis, issuer, upstream, passportKeys } = gateway;
    const other = await startGateway(t, { issuer, upstream, passportKeys, environment: { REDIS_URL: redis.url } });
    const headers = await authHeaders(testPrincipal());
    await send('/api/enrollment', { headers });
    for (let calls = 0; calls < 3; calls += 1) await other.send('/api/enrollment', { headers });
    for (let flushes = 0; flushes < 2; flushes += 1) {
      await client.flushall();
      await send('/api/enrollment', { headers });
      await send('/api/enrollment', { headers });
      await other.send('/api/enrollment', { headers });
    }
    t.equal((await usageOf(gateway, headers)).apiCalls.used, 11);
    t.equal((await usageOf(other, headers)).apiCalls.used, 12);
  },
);

t.test('without Redis the quota is still enforced', async (t) => {
  const { send, authHeaders, redis, client } = await start(t);
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  await store(client, learner.userId, { calls: 996 });
  await send('/api/enrollment', { headers });
  await redis.kill();
  const statuses = [];
  for (let calls = 0; calls < 5; calls += 1) statuses.push((await send('/api/enrollment', { headers })).status);
  t.same(statuses, [200, 200, 200, 429, 429]);
});

t.test('quotas can be disabled', async (t) => {
  const gateway = await start(t, { environment: { QUOTAS_ENABLED: 'false' } });
  const headers = await gateway.authHeaders();
  t.equal((await gateway.send('/api/enrollment', { headers })).headers['x-quota-limit'], undefined);
  t.match(await usageOf(gateway, headers), { apiCalls: { used: 0, limit: null }, uploads: { used: 0, limit: null } });
});
