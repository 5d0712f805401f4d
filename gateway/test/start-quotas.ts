import { startRedis } from '@lms/testing/servers';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { quotaMonth } from './quota-month.ts';
import { type Gateway, type GatewayOptions, startGateway } from './start-gateway.ts';

/** Starts a gateway that counts in a Redis of its own, with access to what is stored there. */
export async function startQuotas(t: Test, given: GatewayOptions = {}) {
  const { month, end: nextMonth } = await quotaMonth();
  const redis = await startRedis(t);
  const gateway = await startGateway(t, { ...given, environment: { REDIS_URL: redis.url, ...given.environment } });
  const client = new Redis(redis.url);
  // Connection errors while Redis restarts are expected.
  client.on('error', () => undefined);
  t.teardown(() => client.disconnect());
  /** The key of a user's month in Redis. */
  const keyOf = (userId: string) => `lms:quota:{${userId}}:${month}`;
  return {
    ...gateway,
    redis,
    client,
    keyOf,
    month,
    nextMonth,
    /** Sets the usage of a user's month in Redis, as if another gateway had counted what is missing. */
    async store(userId: string, usage: { calls?: number; uploads?: number }) {
      const before = await readUsage(client, keyOf(userId));
      const { calls = before.calls, uploads = before.uploads } = usage;
      const missing = { 'calls:other': calls - before.calls, 'uploads:other': uploads - before.uploads };
      for (const [field, count] of Object.entries(missing)) await client.hincrby(keyOf(userId), field, count);
    },
    /** The calls of a user's month in Redis, minus refunds. */
    storedCalls: async (userId: string) => (await readUsage(client, keyOf(userId))).calls,
    /** The uploads of a user's month in Redis, running ones included, minus failed ones. */
    storedUploads: async (userId: string) => (await readUsage(client, keyOf(userId))).uploads,
  };
}

/** As `startQuotas`, for the tests of a file. The returned function resets the upstream, for the next test. */
export async function shareQuotas(t: Test, given: GatewayOptions = {}) {
  const shared = await startQuotas(t, given);
  return () => {
    shared.upstream.requests.length = 0;
    shared.upstream.respondWith(undefined);
    return shared;
  };
}

export const usageOf = async ({ send }: Pick<Gateway, 'send'>, headers: Record<string, string>) =>
  (await send('/api/auth/usage', { headers })).json.data;

/** The usage of a user's month in Redis, without what was given back: the sums of all gateways' fields. */
export async function readUsage(client: Redis, key: string) {
  const fields = Object.entries(await client.hgetall(key));
  const sumOf = (name: string) =>
    fields.reduce((sum, [field, count]) => (field.split(':')[0] === name ? sum + Number(count) : sum), 0);
  return { calls: sumOf('calls') - sumOf('refunded'), uploads: sumOf('uploads') - sumOf('failed') };
}
