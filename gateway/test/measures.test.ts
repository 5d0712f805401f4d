import { startRedis } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type GatewayOptions, startGateway } from './gateway.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const levels = '/api/education/levels';

async function start(t: Test, given: GatewayOptions = {}) {
  const gateway = await startGateway(t, given);
  const told = async () => (await gateway.registry.metrics()).split('\n');
  const tells = (line: string) => waitFor(async () => (await told()).includes(line), { until: line });
  return { ...gateway, told, tells };
}
const counted = (method: string, route: string, status: number, upstream: string, count: number) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}",upstream="${upstream}"} ${count}`;

t.test('requests are measured by the entry they took and by who answers there', async (t) => {
  const { send, tokenOf, tells } = await start(t);
  const headers = await tokenOf();
  for (const topic of [id, id.replace('a', 'b')]) await send(`/api/learning/topics/${topic}/progress?x=1`, { headers });
  await tells(counted('GET', '/api/learning/topics/:id/progress', 200, 'enrollment', 2));
  await send('/api/enrollment');
  await tells(counted('GET', '/api/enrollment', 401, 'enrollment', 1));
  await send('/api/enrollment', { method: 'DELETE', headers });
  await tells(counted('DELETE', '/api/enrollment', 405, 'gateway', 1));
  await send('/healthz');
  await tells(counted('GET', '/healthz', 200, 'gateway', 1));
  await tells('http_requests_in_flight 0');
});

t.test('whatever strangers ask for, the number of series stays the same', async (t) => {
  const { send, told, tells } = await start(t);
  for (let n = 0; n < 300; n += 1) await send(`/${n}/${Math.random().toString(36).slice(2)}`);
  await tells(counted('GET', 'unknown', 404, 'gateway', 300));
  for (const method of ['PROPFIND', 'PURGE', 'MKCOL']) await send(`/${method}`, { method });
  await tells(counted('other', 'unknown', 404, 'gateway', 3));
  t.equal((await told()).filter((line) => line.startsWith('http_request_duration_seconds_count')).length, 2);
});

t.test('requests under way are told, and clients that leave before an answer', async (t) => {
  const { upstream, url, tokenOf, tells } = await start(t);
  upstream.answer(() => undefined);
  const leaving = new AbortController();
  const left = fetch(`${url}/api/enrollment`, { headers: await tokenOf(), signal: leaving.signal }).catch(() => 'left');
  await tells('http_requests_in_flight 1');
  leaving.abort();
  t.equal(await left, 'left');
  await tells(counted('GET', '/api/enrollment', 499, 'enrollment', 1));
  await tells('http_requests_in_flight 0');
});

t.test('refusals are counted by limit and by quota, and what is counted without Redis', async (t) => {
  const redis = await startRedis(t);
  const environment = { REDIS_URL: redis.url, RATE_LIMIT_AUTH: '2' };
  const { send, tokenOf, tells } = await start(t, { environment });
  await tells('gateway_redis_up 1');
  for (let n = 0; n < 5; n += 1) await send('/api/auth/profile');
  await tells('gateway_rate_limited_total{scope="auth"} 3');
  const headers = await tokenOf();
  for (let n = 0; n < 1_003; n += 50)
    await Promise.all(Array.from({ length: Math.min(50, 1_003 - n) }, () => send('/api/enrollment', { headers })));
  await tells('gateway_over_quota_total{metric="apiCalls"} 3');
  await tells('gateway_counted_alone_total 0');
  await redis.kill();
  await send('/api/enrollment', { headers });
  await tells('gateway_redis_up 0');
  await tells('gateway_counted_alone_total 1');
  await tells('gateway_over_quota_total{metric="apiCalls"} 4');
});

t.test('answers from memory and callers known are told apart from those asked for', async (t) => {
  const { send, tokenOf, tells } = await start(t);
  for (let n = 0; n < 4; n += 1) await send(levels);
  await tells('gateway_reads_total{from="fetched"} 1');
  await tells('gateway_reads_total{from="cached"} 3');
  const headers = await tokenOf();
  for (let n = 0; n < 3; n += 1) await send('/api/enrollment', { headers });
  await tells('gateway_principals_total{from="fetched"} 1');
  await tells('gateway_principals_total{from="cached"} 2');
});

t.test('a service that fails opens its circuit alone, and closes it when it is back', async (t) => {
  const { upstream, send, tokenOf, told, tells } = await start(t);
  const headers = await tokenOf();
  await send('/api/enrollment', { headers });
  upstream.answer((incoming) => incoming.socket.destroy());
  for (let n = 0; n < 5; n += 1) t.equal((await send('/api/enrollment', { headers })).status, 503);
  await tells('gateway_circuit_open{upstream="enrollment"} 1');
  await tells('gateway_circuit_open{upstream="content"} 0');
  t.match((await told()).join('\n'), /^gateway_upstream_failures_total\{upstream="enrollment"\} [5-9]$/m);
  upstream.answer(undefined);
  await waitFor(async () => (await send('/api/enrollment', { headers })).status === 200);
  await tells('gateway_circuit_open{upstream="enrollment"} 0');
});

t.test("the age of the provider's keys is told, and as endless while there are none", async (t) => {
  const { told } = await start(t);
  await waitFor(async () => (await told()).some((line) => /^gateway_jwks_age_seconds [0-9.]+$/.test(line)));
  const issuer = { issuer: 'http://127.0.0.1:1', jwksUrl: 'http://127.0.0.1:1/jwks', token: async () => '' };
  const without = await start(t, { issuer });
  await without.tells('gateway_jwks_age_seconds +Inf');
  t.pass();
});
