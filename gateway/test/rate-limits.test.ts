import { testPrincipal } from '@lms/testing/principals';
import { startRedis } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { Redis } from 'ioredis';
import t from 'tap';
import { type Gateway, type RequestOptions, shareGateway, startGateway, untilRedisIsUp } from './start-gateway.ts';

const limits = {
  RATE_LIMIT_GENERAL: '5',
  RATE_LIMIT_AUTH: '3',
  RATE_LIMIT_UPLOAD: '2',
  RATE_LIMIT_WEBHOOK: '4',
  RATE_LIMIT_PLAYBACK: '6',
};
// Tests with a gateway of their own have a database each.
const sharedRedis = await startRedis(t);
const sharedGateway = await shareGateway(t, {
  environment: { ...limits, TRUSTED_PROXIES: '127.0.0.1', REDIS_URL: sharedRedis.url },
});
let clients = 0;

/** The shared gateway for the client of a test, whose address no other test uses. */
function newClient() {
  const gateway = sharedGateway();
  clients += 1;
  const address = { 'x-forwarded-for': `198.51.100.${clients}` };
  const send = (path: string, { headers, ...rest }: RequestOptions = {}) =>
    gateway.send(path, { ...rest, headers: { ...headers, ...address } });
  return { ...gateway, send };
}

/** Sends concurrent requests and returns how many of them were not rate limited. */
async function burst(times: number, send: () => ReturnType<Gateway['send']>) {
  const responses = await Promise.all(Array.from({ length: times }, send));
  return responses.filter(({ status }) => status !== 429).length;
}

t.test('the general limit counts requests by address, including unknown routes and rejected tokens', async (t) => {
  const gateway = newClient();
  const before = Date.now();

  const first = await gateway.send('/api/education/levels');
  t.match(first.headers, { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' });
  const reset = Number(first.headers['x-ratelimit-reset']);
  t.ok(reset >= Math.floor((before + 60_000) / 1_000) && reset <= Math.ceil((Date.now() + 60_000) / 1_000));

  t.match(await gateway.send('/api/nothing'), { status: 404, headers: { 'x-ratelimit-remaining': '3' } });
  const forged = { authorization: 'Bearer a.b.c' };
  t.match(await gateway.send('/api/users', { headers: forged }), {
    status: 401,
    headers: { 'x-ratelimit-remaining': '2' },
  });
  t.match(await gateway.send('/api/users', { method: 'OPTIONS' }), {
    status: 204,
    headers: { 'x-ratelimit-remaining': '1' },
  });
  t.match(await gateway.send('/api/users', { method: 'PATCH' }), {
    status: 405,
    headers: { 'x-ratelimit-remaining': '0' },
  });

  const refused = await gateway.send('/api/education/levels');
  t.match(refused, {
    status: 429,
    headers: { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
    json: { success: false, code: 'RATE_LIMITED', details: { scope: 'general', limit: 5 } },
  });
  t.equal(Math.ceil(Date.parse(refused.json.details.resetAt) / 1_000), reset);
  const retryAfter = Number(refused.headers['retry-after']);
  const elapsedSeconds = (Date.now() - before) / 1_000;
  t.ok(retryAfter >= 59 - elapsedSeconds && retryAfter <= 60);
  t.equal(gateway.upstream.requests.length, 1, 'a rejected request reaches no service');
});

t.test('/auth, the webhook and everything else have separate limits', async (t) => {
  const gateway = newClient();
  const auth = () => gateway.send('/api/auth/profile');
  t.equal(await burst(6, auth), 3);
  t.match((await auth()).json, { code: 'RATE_LIMITED', details: { scope: 'auth', limit: 3 } });
  t.match((await gateway.send('/api/auth/nothing')).json.details, { scope: 'auth' }, 'unknown routes too');

  const webhook = () => gateway.send('/api/webhooks/identity', { method: 'POST', body: '{}' });
  t.equal(await burst(6, webhook), 4);
  t.match((await webhook()).json.details, { scope: 'webhook', limit: 4 });

  t.equal(await burst(10, () => gateway.send('/api/education/tree')), 5);
  for (const path of ['/healthz', '/readyz']) {
    const { status, headers } = await gateway.send(path);
    t.equal(status, 200);
    t.equal(headers['x-ratelimit-limit'], undefined, `${path} is not counted`);
  }
});

t.test(
  'the files of a playback are limited by its token, and count neither by address nor as calls of the month',
  async (t) => {
    const gateway = newClient();
    const play = (token: string, init = {}) => gateway.send(`/api/playback/${token}/480/0.m4s`, init);
    t.match((await play('first-token')).headers, { 'x-ratelimit-limit': '6', 'x-ratelimit-remaining': '5' });
    t.equal(await burst(10, () => play('first-token')), 5);
    t.match((await play('first-token')).json, { code: 'RATE_LIMITED', details: { scope: 'playback', limit: 6 } });
    t.equal(await burst(10, () => gateway.send('/api/playback/other/master.m3u8')), 6, 'another playback has its own');
    t.equal(await burst(6, () => gateway.send('/api/education/tree')), 5, 'the general limit is untouched');
    const client = new Redis(sharedRedis.url);
    t.not((await client.keys('lms:limit:*')).length, 0);
    t.same(await client.keys('*first-token*'), [], 'the store contains no token');
    client.disconnect();

    const headers = await gateway.authHeaders(testPrincipal());
    const counted = await play('third', { headers });
    t.equal(counted.status, 200);
    t.equal(counted.headers['x-quota-remaining'], undefined);
  },
);

for (const method of ['GET', 'OPTIONS', 'POST'])
  t.test(`an address cannot try any number of made-up playback tokens with ${method}`, async (t) => {
    const gateway = newClient();
    const known = `known-${method}`;
    gateway.upstream.respondWith(({ url }, outgoing) =>
      outgoing.writeHead(url?.includes(`/${known}/`) ? 200 : 404, { 'content-type': 'application/json' }).end('{}'),
    );
    const play = (token: string, method = 'GET') => gateway.send(`/api/playback/${token}/master.m3u8`, { method });
    t.equal((await play(known)).status, 200);
    let tried = 0;
    const refused = await waitFor(async () => {
      tried += 1;
      const response = await play(`made-up-${method}-${tried}`, method);
      return response.status === 429 ? response : undefined;
    });
    t.match(refused.json.details, { scope: 'playback', limit: 6 });
    t.ok(tried >= 7, `${tried} requests`);
    t.equal((await play(known)).status, 200, 'a playback that works is not affected');
  });

t.test('uploads are limited by user and by address, and the headers show the lower limit', async (t) => {
  const gateway = newClient();
  const [one, other] = [
    await gateway.authHeaders(testPrincipal(['MENTOR'])),
    await gateway.authHeaders(testPrincipal(['MENTOR'])),
  ];
  const document = (headers: Record<string, string>) =>
    gateway.send('/api/s3/document/upload', { method: 'POST', headers, body: 'bytes' });
  const video = (headers: Record<string, string>) =>
    gateway.send('/api/admin/education/topics/tz4a98xxat96iws9zmbrgj3a/video', {
      method: 'PUT',
      headers,
      body: 'bytes',
    });

  t.match(await document(one), { status: 200, headers: { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' } });
  t.match(await video(one), { status: 200, headers: { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' } });
  t.match(await document(one), { status: 429, json: { details: { scope: 'upload', limit: 2 } } });
  t.match(await document(other), { status: 200 }, 'another user has their own limit');
  const videoPath = '/api/admin/education/topics/tz4a98xxat96iws9zmbrgj3a/video';
  const removal = await gateway.send(videoPath, { method: 'DELETE', headers: one });
  t.match(removal, { status: 200, headers: { 'x-ratelimit-limit': '5' } }, 'deleting a video is not an upload');
});

t.test('two gateways with one Redis share a limit exactly', async (t) => {
  const environment = { RATE_LIMIT_GENERAL: '50', REDIS_URL: `${sharedRedis.url}/1` };
  const one = await startGateway(t, { environment });
  const { issuer, upstream, passportKeys } = one;
  const other = await startGateway(t, { environment, issuer, upstream, passportKeys });
  const admitted = await Promise.all([one, other].map(({ send }) => burst(80, () => send('/api/nothing'))));
  t.equal((admitted[0] ?? 0) + (admitted[1] ?? 0), 50);
});

t.test('IPv6 clients are counted by /64, and X-Forwarded-For is read from trusted proxies only', async (t) => {
  const environment = { RATE_LIMIT_GENERAL: '1', REDIS_URL: `${sharedRedis.url}/2` };
  const trusting = await startGateway(t, {
    environment: { ...environment, TRUSTED_PROXIES: '127.0.0.0/8,10.1.0.0/16' },
  });
  const from = async (forwarded: string) =>
    (await trusting.send('/api/nothing', { headers: { 'x-forwarded-for': forwarded } })).status;
  t.equal(await from('2001:db8:1:2:3:4:5:6'), 404);
  t.equal(await from('2001:db8:1:2::9'), 429, 'the same /64');
  t.equal(await from('2001:db8:1:3::9'), 404, 'another /64');
  t.equal(await from('[2001:db8:1:3::9]:50123'), 429, 'the same, with a port');
  t.equal(await from('198.51.100.20:50123'), 404);
  t.equal(await from('198.51.100.20:50124'), 429, 'the same, with another port');
  t.equal(await from('198.51.100.20, 127.0.0.1:443'), 429, 'the same, behind a trusted proxy with a port');
  t.equal(await from('198.51.100.1'), 404);
  t.equal(await from('::ffff:198.51.100.1'), 429, 'the same IPv4 address, mapped to IPv6');
  t.equal(await from('203.0.113.9, 198.51.100.1'), 429, 'addresses left of the client are not trusted');
  t.equal(await from('203.0.113.9, 10.1.2.3'), 404, 'a trusted proxy in between is skipped');

  const long = `::1,${`${'1'.repeat(32)}.`.repeat(450)}`;
  const startedAt = performance.now();
  for (let times = 0; times < 50; times += 1)
    t.equal((await trusting.send('/healthz', { headers: { 'x-forwarded-for': long } })).status, 200);
  t.ok(performance.now() - startedAt < 20_000, 'quadratic time would take longer');

  const untrusting = await startGateway(t, { environment });
  t.equal((await untrusting.send('/api/nothing', { headers: { 'x-forwarded-for': '198.51.100.7' } })).status, 404);
  t.equal((await untrusting.send('/api/nothing', { headers: { 'x-forwarded-for': '198.51.100.8' } })).status, 429);
});

t.test('a window ends a fixed time after its first request', async (t) => {
  const gateway = newClient();
  const resets = new Set<string | string[] | undefined>();
  for (let times = 0; times < 5; times += 1)
    resets.add((await gateway.send('/api/nothing')).headers['x-ratelimit-reset']);
  t.equal(resets.size, 1, 'later requests do not extend it');
});

t.test('a window ends after a minute, also if a clock is set back', async (t) => {
  const url = `${sharedRedis.url}/3`;
  const gateway = await startGateway(t, { environment: { RATE_LIMIT_GENERAL: '2', REDIS_URL: url } });
  const client = new Redis(url);
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
    client.disconnect();
  });
  Date.now = () => now() + 3_600_000;
  t.equal(await burst(3, () => gateway.send('/api/nothing')), 2);
  Date.now = now;
  await client.flushdb();
  t.equal((await gateway.send('/api/nothing')).status, 404, 'the clock of the gateway');

  // In the data of Redis, the end of a window is a time.
  for (const key of await client.keys('lms:limit:*')) await client.pexpire(key, 3_600_000);
  const { headers } = await gateway.send('/api/nothing');
  t.ok(Number(headers['x-ratelimit-reset']) <= Math.ceil((Date.now() + 60_000) / 1_000), 'the clock of Redis');
});

t.test('without Redis the limits continue in process, at once and without a 500', async (t) => {
  const redis = await startRedis(t);
  const gateway = await startGateway(t, { environment: { RATE_LIMIT_GENERAL: '20', REDIS_URL: redis.url } });
  t.equal(await burst(5, () => gateway.send('/api/nothing')), 5);
  await redis.kill();
  const startedAt = performance.now();
  t.match(await gateway.send('/api/nothing'), { status: 404 });
  t.ok(performance.now() - startedAt < 5_000, 'no request waits for Redis');
  t.equal(await burst(40, () => gateway.send('/api/nothing')), 14, 'earlier requests still count');

  await redis.restart();
  await untilRedisIsUp(gateway);
  t.equal((await gateway.send('/api/nothing')).status, 429);
});

t.test('a frozen Redis delays one request by the timeout, and later ones not at all', async (t) => {
  const redis = await startRedis(t);
  const gateway = await startGateway(t, {
    environment: { RATE_LIMIT_GENERAL: '1000', REDIS_URL: redis.url },
    options: { redisTimeoutMs: 800 },
  });
  await gateway.send('/api/nothing');
  redis.process().kill('SIGSTOP');
  t.teardown(() => redis.process().kill('SIGCONT'));

  const durations: number[] = [];
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const startedAt = performance.now();
    t.equal((await gateway.send('/api/nothing')).status, 404);
    durations.push(performance.now() - startedAt);
  }
  const [slowest = 0, ...others] = durations.toSorted((a, b) => b - a);
  const usual = others[10] ?? 0;
  t.ok(slowest >= 750, 'the first one waited');
  t.ok(usual < 400, `the others did not (${usual.toFixed(1)} ms)`);

  redis.process().kill('SIGCONT');
  await untilRedisIsUp(gateway);
});

/** The number of scripts that Redis has run. */
async function countScripts(url: string): Promise<number> {
  const client = new Redis(url);
  const report = await client.info('commandstats');
  client.disconnect();
  return [...report.matchAll(/cmdstat_evalsha?:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

t.test('a client that is over its limit is rejected without a Redis command', async (t) => {
  const redis = await startRedis(t);
  const gateway = await startGateway(t, { environment: { ...limits, REDIS_URL: redis.url } });
  await burst(5, () => gateway.send('/api/nothing'));
  t.equal((await gateway.send('/api/nothing')).status, 429);
  const before = await countScripts(redis.url);
  t.equal(await burst(200, () => gateway.send('/api/nothing')), 0);
  t.equal(await countScripts(redis.url), before);
});
