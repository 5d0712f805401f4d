import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Redis } from 'ioredis';

// The usage of a month only: reservations of running uploads and internal keys of the gateways are not included.
const pattern = /^lms:quota:\{\w+\}:\d{4}-\d{2}$/;

const Quotas = Type.Array(
  Type.Object({
    key: Type.String(),
    expiresAt: Type.Integer(),
    // Numbers, and what was known when Redis had lost its data, as JSON.
    used: Type.Record(Type.String(), Type.String({ pattern: '^(\\d+|\\{.*\\})$' })),
  }),
);
type Quotas = Static<typeof Quotas>;

/** The usage of each user in the months that Redis stores, as JSON. */
export const saveQuotas = (url: string) =>
  withRedis(url, async (redis) => {
    const quotas: Quotas = [];
    for await (const keys of redis.scanStream({ match: 'lms:quota:*', count: 1_000 })) {
      for (const key of Value.Parse(Type.Array(Type.String()), keys).filter((name) => pattern.test(name)))
        quotas.push({ key, expiresAt: await redis.pexpiretime(key), used: await redis.hgetall(key) });
    }
    return JSON.stringify(quotas.sort((one, other) => (one.key < other.key ? -1 : 1)));
  });

/** @throws if Redis does not respond */
export const checkRedis = (url: string) => withRedis(url, (redis) => redis.ping());

/** Restores the months that have not expired; usage after the backup is lost. */
export const restoreQuotas = (url: string, folder: string, path: string) =>
  withRedis(url, async (redis) => {
    const quotas = Value.Parse(Quotas, JSON.parse(await readFile(join(folder, path), 'utf8')));
    for (const { key, expiresAt, used } of quotas) {
      // Earlier versions had other keys.
      if (!pattern.test(key) || (expiresAt > 0 && expiresAt < Date.now())) continue;
      const put = redis.multi().del(key).hset(key, used);
      if (expiresAt > 0) put.pexpireat(key, expiresAt);
      await put.exec();
    }
  });

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null });
  redis.on('error', () => undefined); // The failed command rejects with the error.
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
