import type { Redis } from 'ioredis';

/** How long the reservation of an upload outlives its gateway. */
export const leaseMs = 120_000;

// Both keys of a user lie in one slot of a Redis Cluster.
export const usageKey = (userId: string, month: string) => `lms:quota:{${userId}}:${month}`;
export const runningKey = (userId: string) => `lms:quota:{${userId}}:running`;

/** What Redis holds of a month, whether that was less than the gateway knew, what is used up, and uploads that run. */
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
    applyUsage(...args: (string | number)[]): Promise<Stored>;
  }
}

/**
 * Applies a change to the usage of one user's month.
 * KEYS: the usage (a hash), the user's running uploads (a sorted set).
 * ARGV: 1 gateway, 2 sequence, 3-5 the calls, refunded calls and uploads that the gateway knows of, 6 when the usage
 * expires, 7-9 what is added to the three, 10-11 the limits of calls and uploads (-1 for none), 12 how long a
 * reservation lasts, 13 the reservation to make ('' for none), 14... the reservations to release.
 *
 * The three counts only grow. So a Redis that has lost some is raised to what a gateway knows, however often and by
 * however many; and every change carries a number of its gateway's sequence, so that one which is sent again after a
 * timeout is applied once.
 */
const applyUsage = `
local stored = redis.call('HMGET', KEYS[1], 'calls', 'refunded', 'uploads', ARGV[1])
local usage, wasLost, refused, running = {}, 0, '', 0
for i = 1, 3 do
  local known = tonumber(ARGV[i + 2])
  usage[i] = tonumber(stored[i] or 0)
  if usage[i] < known then
    usage[i] = known
    wasLost = 1
  end
end
local sequence, isNew = stored[4] or 0, tonumber(ARGV[2]) > tonumber(stored[4] or 0)
local callsLimit, uploadsLimit, lease = tonumber(ARGV[10]), tonumber(ARGV[11]), ARGV[13]

if callsLimit >= 0 and usage[1] - usage[2] >= callsLimit then refused = 'apiCalls' end
if lease ~= '' then
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  running = redis.call('ZCARD', KEYS[2])
  if refused == '' and uploadsLimit >= 0 and usage[3] + running >= uploadsLimit then refused = 'uploads' end
  if refused == '' and isNew then
    redis.call('ZADD', KEYS[2], now + ARGV[12], lease)
    redis.call('PEXPIRE', KEYS[2], ARGV[12])
    running = running + 1
  end
end
if refused == '' and isNew then
  for i = 1, 3 do usage[i] = usage[i] + ARGV[i + 6] end
  sequence = ARGV[2]
end
if wasLost == 1 or sequence == ARGV[2] then
  redis.call('HSET', KEYS[1], 'calls', usage[1], 'refunded', usage[2], 'uploads', usage[3], ARGV[1], sequence)
  redis.call('PEXPIREAT', KEYS[1], ARGV[6])
end
for i = 14, #ARGV do redis.call('ZREM', KEYS[2], ARGV[i]) end
return { usage[1], usage[2], usage[3], wasLost, refused, running }`;

export const defineQuotaScript = (redis: Redis) =>
  redis.defineCommand('applyUsage', { lua: applyUsage, numberOfKeys: 2 });
