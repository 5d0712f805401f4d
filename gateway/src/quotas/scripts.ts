import type { RedisConnection } from '../plugins/redis.ts';

/** How long the reservation of an upload outlives its gateway. */
export const leaseMs = 120_000;

export const usageKey = (userId: string, month: string) => `lms:quota:{${userId}}:${month}`;
export const runningKey = (userId: string) => `lms:quota:{${userId}}:running`;

/** Counts that never decrease: a refund is counted separately. */
export interface Counts {
  calls: number;
  refunded: number;
  uploads: number;
}

/** A change of a user's usage. Redis applies each sequence number of a gateway once. */
export interface Change extends Counts {
  sequence: number;
  /** The reservations to release. */
  leases: string[];
}

export interface Application {
  userId: string;
  month: string;
  /** When the usage expires, in Unix milliseconds. */
  expiresAt: number;
  /** The counts of Redis as the gateway knows them. */
  known: Counts;
  change: Change;
  /** `null` where there are none. */
  limits: { apiCalls: number | null; uploads: number | null };
  /** The reservation to make. */
  lease: string | undefined;
}

/** The counts, 1 if Redis had less than the gateway knows, the quota that is used up or '', and the running uploads. */
export type Stored = [
  calls: number,
  refunded: number,
  uploads: number,
  wasLost: number,
  refused: string,
  running: number,
];

declare module 'ioredis' {
  interface Redis {
    applyUsage(keyCount: number, ...keysAndArguments: (string | number)[]): Promise<Stored[]>;
  }
}

/**
 * Applies changes to the usage of users' months.
 * KEYS: for each change the usage (a hash) and the user's running uploads (a sorted set).
 * ARGV: 1 gateway, 2 how long a reservation lasts; then for each change: 1 sequence, 2-4 the calls, refunded calls and
 * uploads that the gateway knows of, 5 when the usage expires, 6-8 what is added to each, 9-10 the limits of calls
 * and uploads (-1 for none), 11 the reservation to make ('' for none), 12 how many reservations to release, and these.
 *
 * The three counts never decrease, so any gateway can raise them after Redis has lost data. A change that is sent again
 * after a timeout has the same sequence number, and is applied once.
 */
const applyUsage = `
local gateway, leaseMs, at, results = ARGV[1], ARGV[2], 2, {}
for i = 1, #KEYS, 2 do
  local usageKey, runningKey = KEYS[i], KEYS[i + 1]
  local stored = redis.call('HMGET', usageKey, 'calls', 'refunded', 'uploads', gateway)
  local usage, wasLost, refused, running = {}, 0, '', 0
  for count = 1, 3 do
    local known = tonumber(ARGV[at + 1 + count])
    usage[count] = tonumber(stored[count] or 0)
    if usage[count] < known then
      usage[count] = known
      wasLost = 1
    end
  end
  local sequence = ARGV[at + 1]
  local isNew = tonumber(sequence) > tonumber(stored[4] or 0)
  local callsLimit, uploadsLimit, lease = tonumber(ARGV[at + 9]), tonumber(ARGV[at + 10]), ARGV[at + 11]

  if callsLimit >= 0 and usage[1] - usage[2] >= callsLimit then refused = 'apiCalls' end
  if lease ~= '' then
    local clock = redis.call('TIME')
    local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
    redis.call('ZREMRANGEBYSCORE', runningKey, '-inf', now)
    running = redis.call('ZCARD', runningKey)
    if refused == '' and uploadsLimit >= 0 and usage[3] + running >= uploadsLimit then refused = 'uploads' end
    if refused == '' and isNew then
      redis.call('ZADD', runningKey, now + leaseMs, lease)
      redis.call('PEXPIRE', runningKey, leaseMs)
      running = running + 1
    end
  end
  local isApplied = refused == '' and isNew
  if isApplied then
    for count = 1, 3 do usage[count] = usage[count] + ARGV[at + 5 + count] end
  end
  if wasLost == 1 or isApplied then
    redis.call('HSET', usageKey, 'calls', usage[1], 'refunded', usage[2], 'uploads', usage[3],
      gateway, isApplied and sequence or stored[4] or 0)
    redis.call('PEXPIREAT', usageKey, ARGV[at + 5])
  end
  local released = tonumber(ARGV[at + 12])
  at = at + 12
  for _ = 1, released do
    at = at + 1
    redis.call('ZREM', runningKey, ARGV[at])
  end
  results[#results + 1] = { usage[1], usage[2], usage[3], wasLost, refused, running }
end
return results`;

/** Applies the changes of one turn of the event loop with one command. */
export function createUsageScript({ client, inBatches }: RedisConnection, gateway: string) {
  client.defineCommand('applyUsage', { lua: applyUsage });
  return inBatches((batch: readonly Application[]) => {
    const keys: string[] = [];
    const args: (string | number)[] = [gateway, leaseMs];
    for (const { userId, month, expiresAt, known, change, limits, lease = '' } of batch) {
      keys.push(usageKey(userId, month), runningKey(userId));
      args.push(change.sequence, known.calls, known.refunded, known.uploads, expiresAt);
      args.push(change.calls, change.refunded, change.uploads, limits.apiCalls ?? -1, limits.uploads ?? -1);
      args.push(lease, change.leases.length, ...change.leases);
    }
    return client.applyUsage(keys.length, ...keys, ...args);
  });
}
