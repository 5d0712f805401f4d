import type { RedisConnection } from '../plugins/redis.ts';

const countNames = ['calls', 'refunded', 'uploads', 'failed'] as const;

/** Counts that only grow: what is given back is counted separately. */
export type Counts = Record<(typeof countNames)[number], number>;

export const toCounts = (countOf: (name: keyof Counts, index: number) => number): Counts => ({
  calls: countOf('calls', 0),
  refunded: countOf('refunded', 1),
  uploads: countOf('uploads', 2),
  failed: countOf('failed', 3),
});

/** One user's month. */
export interface Account {
  key: string;
  expiresAt: number;
  /** The name of `own` in Redis. */
  source: string;
  /** What this process has counted. */
  own: Counts;
  /** The part of `own` that Redis has confirmed. */
  confirmed: Counts;
  /** The counts of all gateways when Redis confirmed `confirmed`, which they include. */
  total: Counts;
}

declare module 'ioredis' {
  interface Redis {
    mergeUsage(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<number[][]>;
  }
}

/**
 * Adds what a source has counted since it was last stored to the totals. If Redis has lost data, both continue from what the
 * gateway knows. ARGV for each key: source, when the key expires, and for each count: own, confirmed, total.
 */
const mergeUsage = `
local names, results, at = { 'calls', 'refunded', 'uploads', 'failed' }, {}, 1
for i, key in ipairs(KEYS) do
  local source, fields, changes, result, wasLost = ARGV[at], {}, {}, {}, 0
  for n, name in ipairs(names) do
    fields[n], fields[n + 4] = name, source .. ':' .. name
  end
  local stored = redis.call('HMGET', key, unpack(fields))
  for n, name in ipairs(names) do
    local own, confirmed, known = tonumber(ARGV[at + 3 * n - 1]), tonumber(ARGV[at + 3 * n]), tonumber(ARGV[at + 3 * n + 1])
    local total, applied = tonumber(stored[n] or 0), tonumber(stored[n + 4] or 0)
    if total < known then wasLost = 1 end
    result[n] = math.max(total, known) + math.max(0, own - math.max(applied, confirmed))
    if result[n] > total then
      for _, value in ipairs({ name, result[n], source .. ':' .. name, own }) do changes[#changes + 1] = value end
    end
  end
  if #changes > 0 then
    redis.call('HSET', key, unpack(changes))
    redis.call('PEXPIREAT', key, ARGV[at + 1])
  end
  result[5] = wasLost
  results[i] = result
  at = at + 14
end
return results`;

/** Returns a function that merges accounts; those of one turn of the event loop are merged with one command. */
export function createMerge({ client, inBatches }: RedisConnection) {
  client.defineCommand('mergeUsage', { lua: mergeUsage });
  return inBatches(async (accounts: readonly Account[]) => {
    const args = accounts.flatMap(({ source, expiresAt, own, confirmed, total }) => [
      source,
      expiresAt,
      ...countNames.flatMap((name) => [own[name], confirmed[name], total[name]]),
    ]);
    const merged = await client.mergeUsage(accounts.length, ...accounts.map(({ key }) => key), ...args);
    return merged.map((values) => ({
      total: toCounts((_name, index) => values[index] ?? 0),
      wasLost: values[4] === 1,
    }));
  });
}
