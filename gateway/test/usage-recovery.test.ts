import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { startGateway, untilRedisIsUp } from './start-gateway.ts';
import { shareQuotas, usageOf } from './start-quotas.ts';

const sharedQuotas = await shareQuotas(t);
const { issuer, upstream, passportKeys, redis } = sharedQuotas();
/** Another gateway that uses the same Redis. */
const other = await startGateway(t, { issuer, upstream, passportKeys, environment: { REDIS_URL: redis.url } });

t.test('usage is not lost when Redis restarts', async (t) => {
  const gateway = sharedQuotas();
  const { send, authHeaders, storedCalls } = gateway;
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  for (let calls = 0; calls < 5; calls += 1) await send('/api/enrollment', { headers });
  await redis.kill();
  for (let calls = 0; calls < 3; calls += 1) t.equal((await send('/api/enrollment', { headers })).status, 200);
  t.equal((await usageOf(gateway, headers)).apiCalls.used, 9, 'also while it is down');
  await redis.restart();
  await untilRedisIsUp(gateway);
  t.equal((await usageOf(gateway, headers)).apiCalls.used, 10);
  await waitFor(async () => (await storedCalls(learner.userId)) === 10, {
    until: 'the usage to be written to Redis',
  });
  await untilRedisIsUp(other);
  t.equal((await usageOf(other, headers)).apiCalls.used, 11, 'usage counted while Redis was down was written to it');
});

t.test('usage is written back after Redis was flushed', async (t) => {
  const gateway = sharedQuotas();
  const { send, authHeaders, client, storedCalls } = gateway;
  const [learner, absent] = [testPrincipal(), testPrincipal()];
  const [headers, others] = [await authHeaders(learner), await authHeaders(absent)];
  for (let calls = 0; calls < 5; calls += 1) await send('/api/enrollment', { headers });
  for (let calls = 0; calls < 4; calls += 1) await send('/api/enrollment', { headers: others });
  await client.flushall();
  await send('/api/enrollment', { headers });
  await waitFor(async () => (await storedCalls(absent.userId)) === 4, {
    until: 'usage to be written back',
  });
  t.equal((await usageOf(gateway, headers)).apiCalls.used, 7);
});

t.test(
  'after Redis was flushed, the calls of two gateways are counted once each, also those that only one knew',
  async (t) => {
    const gateway = sharedQuotas();
    const { send, authHeaders, client } = gateway;
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
  const gateway = sharedQuotas();
  const { send, authHeaders, store } = gateway;
  const learner = testPrincipal();
  const headers = await authHeaders(learner);
  await store(learner.userId, { calls: 996 });
  await send('/api/enrollment', { headers });
  await redis.kill();
  const statuses = [];
  for (let calls = 0; calls < 5; calls += 1) statuses.push((await send('/api/enrollment', { headers })).status);
  t.same(statuses, [200, 200, 200, 429, 429]);
  await redis.restart();
  await Promise.all([gateway, other].map(untilRedisIsUp));
});
