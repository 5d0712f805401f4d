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
    /** Sets the usage of a user's month in Redis. */
    store: (userId: string, usage: { calls?: number; uploads?: number }) => client.hset(keyOf(userId), usage),
    /** The calls of a user's month in Redis, minus refunds. */
    async storedCalls(userId: string): Promise<number> {
      const [calls, refunded] = await client.hmget(keyOf(userId), 'calls', 'refunded');
      return Number(calls) - Number(refunded);
    },
    /** The uploads of a user's month in Redis, running ones included, minus failed ones. */
    async storedUploads(userId: string): Promise<number> {
      const [uploads, failed] = await client.hmget(keyOf(userId), 'uploads', 'failed');
      return Number(uploads) - Number(failed);
    },
  };
}

/** As `startQuotas`, for the tests of a file. The returned function resets the upstream, for the next test. */
export async function shareQuotas(t: Test) {
  const shared = await startQuotas(t);
  return () => {
    shared.upstream.respondWith(undefined);
    return shared;
  };
}

export const usageOf = async ({ send }: Pick<Gateway, 'send'>, headers: Record<string, string>) =>
  (await send('/api/auth/usage', { headers })).json.data;
