import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type Gateway, type GatewayOptions, startGateway } from './start-gateway.ts';
import { startQuotas } from './start-quotas.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const levels = '/api/education/levels';

const start = async (t: Test, given: GatewayOptions = {}) => withMetrics(await startGateway(t, given));

function withMetrics<T extends Gateway>(gateway: T) {
  const readMetrics = async () => (await gateway.registry.metrics()).split('\n');
  const untilMetric = (line: string) => waitFor(async () => (await readMetrics()).includes(line), { until: line });
  return { ...gateway, readMetrics, untilMetric };
}
const requestCount = (method: string, route: string, status: number, upstream: string, count: number) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}",upstream="${upstream}"} ${count}`;

t.test('requests are counted by method, route, status and service', async (t) => {
  const { send, authHeaders, untilMetric } = await start(t);
  const headers = await authHeaders();
  for (const topic of [id, id.replace('a', 'b')]) await send(`/api/learning/topics/${topic}/progress?x=1`, { headers });
  await untilMetric(requestCount('GET', '/api/learning/topics/:id/progress', 200, 'enrollment', 2));
  await send('/api/enrollment');
  await untilMetric(requestCount('GET', '/api/enrollment', 401, 'enrollment', 1));
  await send('/api/enrollment', { method: 'DELETE', headers });
  await untilMetric(requestCount('DELETE', '/api/enrollment', 405, 'gateway', 1));
  await send('/healthz');
  await untilMetric(requestCount('GET', '/healthz', 200, 'gateway', 1));
  await untilMetric('http_requests_in_flight 0');
});

t.test('unknown paths and methods do not add time series', async (t) => {
  const { send, readMetrics, untilMetric } = await start(t);
  for (let n = 0; n < 30; n += 1) await send(`/${n}/${Math.random().toString(36).slice(2)}`);
  await untilMetric(requestCount('GET', 'unknown', 404, 'gateway', 30));
  for (const method of ['PROPFIND', 'PURGE', 'MKCOL']) await send(`/${method}`, { method });
  await untilMetric(requestCount('other', 'unknown', 404, 'gateway', 3));
  t.equal((await readMetrics()).filter((line) => line.startsWith('http_request_duration_seconds_count')).length, 2);
});

t.test('requests in flight are counted, and clients that disconnect get status 499', async (t) => {
  const { upstream, url, authHeaders, untilMetric } = await start(t);
  upstream.respondWith(() => undefined);
  const controller = new AbortController();
  const aborted = fetch(`${url}/api/enrollment`, { headers: await authHeaders(), signal: controller.signal }).catch(
    () => 'aborted',
  );
  await untilMetric('http_requests_in_flight 1');
  controller.abort();
  t.equal(await aborted, 'aborted');
  await untilMetric(requestCount('GET', '/api/enrollment', 499, 'enrollment', 1));
  await untilMetric('http_requests_in_flight 0');
});

t.test('rejections are counted by rate limit and by quota, and requests counted without Redis', async (t) => {
  const gateway = await startQuotas(t, { environment: { RATE_LIMIT_AUTH: '2' } });
  const { send, authHeaders, store, redis, untilMetric } = withMetrics(gateway);
  for (let n = 0; n < 5; n += 1) await send('/api/auth/profile');
  await untilMetric('gateway_rate_limited_total{scope="auth"} 3');
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  await store(learner.userId, { calls: 998 });
  for (let n = 0; n < 5; n += 1) await send('/api/enrollment', { headers });
  await untilMetric('gateway_over_quota_total{metric="apiCalls"} 3');
  await untilMetric('gateway_counted_alone_total 0');
  await redis.kill();
  await send('/api/enrollment', { headers });
  await untilMetric('gateway_redis_up 0');
  await untilMetric('gateway_counted_alone_total 1');
  await untilMetric('gateway_over_quota_total{metric="apiCalls"} 4');
});

t.test('reads and principals are counted by whether they were cached or fetched', async (t) => {
  const { send, authHeaders, untilMetric } = await start(t);
  for (let n = 0; n < 4; n += 1) await send(levels);
  await untilMetric('gateway_reads_total{from="fetched"} 1');
  await untilMetric('gateway_reads_total{from="cached"} 3');
  const headers = await authHeaders();
  for (let n = 0; n < 3; n += 1) await send('/api/enrollment', { headers });
  await untilMetric('gateway_principals_total{from="fetched"} 1');
  await untilMetric('gateway_principals_total{from="cached"} 2');
});

t.test('a failing service opens only its own circuit breaker, which closes when it is back', async (t) => {
  const { upstream, send, authHeaders, readMetrics, untilMetric } = await start(t);
  const headers = await authHeaders();
  await send('/api/enrollment', { headers });
  upstream.respondWith((incoming) => incoming.socket.destroy());
  for (let n = 0; n < 5; n += 1) t.equal((await send('/api/enrollment', { headers })).status, 503);
  await untilMetric('gateway_circuit_open{upstream="enrollment"} 1');
  await untilMetric('gateway_circuit_open{upstream="content"} 0');
  t.match((await readMetrics()).join('\n'), /^gateway_upstream_failures_total\{upstream="enrollment"\} [5-9]$/m);
  upstream.respondWith(undefined);
  await waitFor(async () => (await send('/api/enrollment', { headers })).status === 200);
  await untilMetric('gateway_circuit_open{upstream="enrollment"} 0');
});

t.test("the age of the provider's keys is infinite while there are none", async (t) => {
  const { readMetrics } = await start(t);
  await waitFor(async () => (await readMetrics()).some((line) => /^gateway_jwks_age_seconds [0-9.]+$/.test(line)));
  const issuer = { issuer: 'http://127.0.0.1:1', jwksUrl: 'http://127.0.0.1:1/jwks', token: async () => '' };
  const without = await start(t, { issuer });
  await without.untilMetric('gateway_jwks_age_seconds +Inf');
  t.pass();
});
