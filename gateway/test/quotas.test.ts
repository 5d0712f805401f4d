import type { Plan } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { shareQuotas, startQuotas, usageOf } from './start-quotas.ts';
import { sendJson } from './start-upstream.ts';

const sharedQuotas = await shareQuotas(t);

t.test('calls count against the plan, and the one over the quota returns 429 with its details', async (t) => {
  const { send, authHeaders, store, storedCalls, nextMonth } = sharedQuotas();
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  const first = await send('/api/enrollment', { headers });
  t.match(first.headers, {
    'x-quota-limit': '1000',
    'x-quota-remaining': '999',
    'x-quota-reset': String(nextMonth.getTime() / 1_000),
  });
  await store(learner.userId, { calls: 999 });
  t.match(await send('/api/enrollment', { headers }), { status: 200, headers: { 'x-quota-remaining': '0' } });
  const refused = await send('/api/enrollment', { headers });
  t.match(refused, { status: 429, headers: { 'x-quota-limit': '1000', 'x-quota-remaining': '0' } });
  t.match(refused.json, {
    code: 'QUOTA_EXCEEDED',
    details: { plan: 'FREE', metric: 'apiCalls', limit: 1_000, used: 1_000, resetsAt: nextMonth.toISOString() },
  });
  t.ok(Number(refused.headers['retry-after']) > 0);
  await waitFor(async () => (await storedCalls(learner.userId)) === 1_000, {
    until: 'the rejected call to be given back',
  });
});

t.test('of concurrent calls, exactly those within the quota are forwarded', async (t) => {
  const { send, authHeaders, store, storedCalls } = sharedQuotas();
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  await send('/api/enrollment', { headers });
  await store(learner.userId, { calls: 990 });
  const responses = await Promise.all(Array.from({ length: 30 }, () => send('/api/enrollment', { headers })));
  const forwarded = responses.filter(({ status }) => status === 200);
  const remaining = forwarded.map((response) => Number(response.headers['x-quota-remaining']));
  t.same(
    remaining.toSorted((one, other) => one - other),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  t.equal(responses.filter(({ status }) => status === 429).length, 20);
  await waitFor(async () => (await storedCalls(learner.userId)) === 1_000, {
    until: 'the rejected calls to be given back',
  });
});

t.test('each plan has its own quota; ENTERPRISE has none, and admins are exempt', async (t) => {
  const { send, authHeaders } = sharedQuotas();
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
  const gateway = sharedQuotas();
  const { send, authHeaders, upstream, storedCalls } = gateway;
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  const storedCallCount = () => storedCalls(learner.userId);
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

t.test('the usage route returns the plan, the month and the counts, and counts itself', async (t) => {
  const gateway = sharedQuotas();
  const { month, nextMonth } = gateway;
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

t.test('quotas can be disabled', async (t) => {
  const gateway = await startQuotas(t, { environment: { QUOTAS_ENABLED: 'false' } });
  const headers = await gateway.authHeaders();
  t.equal((await gateway.send('/api/enrollment', { headers })).headers['x-quota-limit'], undefined);
  t.match(await usageOf(gateway, headers), { apiCalls: { used: 0, limit: null }, uploads: { used: 0, limit: null } });
});
