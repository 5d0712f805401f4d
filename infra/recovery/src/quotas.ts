import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Redis } from 'ioredis';

// Months only: what is reserved by running uploads, and the epoch that tells gateways of a Redis that forgot, are not kept.
const pattern = /^lms:quota:\d{4}-\d{2}:(calls|uploads)$/;

const Quotas = Type.Array(
  Type.Object({
    key: Type.String({ pattern: pattern.source }),
    expiresAt: Type.Integer(),
    used: Type.Record(Type.String(), Type.String({ pattern: '^\\d+$' })),
  }),
);
type Quotas = Static<typeof Quotas>;

/** What each user has used in the months that Redis remembers, as JSON. */
export const saveQuotas = (url: string) =>
  withRedis(url, async (redis) => {
    const quotas: Quotas = [];
    for await (const keys of redis.scanStream({ match: 'lms:quota:*', count: 1_000 })) {
      for (const key of Value.Parse(Type.Array(Type.String()), keys).filter((name) => pattern.test(name)))
        quotas.push({ key, expiresAt: await redis.pexpiretime(key), used: await redis.hgetall(key) });
    }
    return JSON.stringify(quotas.sort((one, other) => (one.key < other.key ? -1 : 1)));
  });

/** Puts the months back that are not over; what was used beyond the backup is given up. */
export const restoreQuotas = (url: string, folder: string, path: string) =>
  withRedis(url, async (redis) => {
    for (const { key, expiresAt, used } of Value.Parse(
      Quotas,
      JSON.parse(await readFile(join(folder, path), 'utf8')),
    )) {
      if (expiresAt > 0 && expiresAt < Date.now()) continue;
      const put = redis.multi().del(key).hset(key, used);
      if (expiresAt > 0) put.pexpireat(key, expiresAt);
      await put.exec();
    }
  });

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null });
  redis.on('error', () => undefined); // The command that it breaks says so itself.
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
