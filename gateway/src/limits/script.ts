import { createHash } from 'node:crypto';
import type { Item, Outcome } from './item.ts';
import type { Month } from './months.ts';
import { windowMs } from './policy.ts';

/** The longest an upload's reservation outlives its gateway. */
export const leaseMs = 120_000;
const keptAfterMonthMs = 7 * 24 * 3_600_000;

export const epochKey = 'lms:quota:epoch';
export const callsKey = (month: string) => `lms:quota:${month}:calls`;
export const uploadsKey = (month: string) => `lms:quota:${month}:uploads`;
/** Usage is kept for a week after its month. */
export const expiryOf = ({ end }: Month) => end.getTime() + keptAfterMonthMs;
export const leasesKey = (userId: string) => `lms:quota:leases:${userId}`;

/**
 * Counts any number of requests in one go. Redis' own clock rules, so gateways need not agree on theirs.
 * The epoch tells a store that has lost its memory from one that has not: it changes only when everything was lost.
 */
export const countScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  epoch = ARGV[1]
  redis.call('SET', KEYS[1], epoch)
end
local windowMs, leaseMs = tonumber(ARGV[2]), tonumber(ARGV[3])
local answer, k, a = { epoch }, 1, 3
local function key() k = k + 1 return KEYS[k] end
local function arg() a = a + 1 return ARGV[a] end
local function say(value) answer[#answer + 1] = value end

while a < #ARGV do
  local open = true
  for _ = 1, tonumber(arg()) do
    local window, limit = key(), tonumber(arg())
    if open then
      local count = redis.call('INCR', window)
      local left = count > 1 and redis.call('PTTL', window) or -1
      if left < 0 then
        redis.call('PEXPIRE', window, windowMs)
        left = windowMs
      end
      say(count) say(left)
      open = count <= limit
    else
      say(-1) say(-1)
    end
  end
  local kind = arg()
  if kind ~= 'none' then
    local user, callsLimit, expiry, calls = arg(), tonumber(arg()), arg(), key()
    local used = tonumber(redis.call('HGET', calls, user) or 0)
    local refused, reserved = 0, -1
    if callsLimit >= 0 and used >= callsLimit then refused = 1 end
    if kind == 'upload' then
      local uploadsLimit, lease, uploads, leases = tonumber(arg()), arg(), key(), key()
      redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
      reserved = tonumber(redis.call('HGET', uploads, user) or 0) + redis.call('ZCARD', leases)
      if refused == 0 and uploadsLimit >= 0 and reserved >= uploadsLimit then refused = 2 end
      if open and refused == 0 then
        redis.call('ZADD', leases, now + leaseMs, lease)
        redis.call('PEXPIRE', leases, leaseMs)
        reserved = reserved + 1
      end
    end
    if open and refused == 0 then
      used = redis.call('HINCRBY', calls, user, 1)
      if used == 1 then redis.call('PEXPIREAT', calls, expiry) end
    end
    say(refused) say(used) say(reserved)
  end
end
return answer`;

export const countScriptSha = createHash('sha1').update(countScript).digest('hex');

/** Lifts counters to what they were known to be, and never lowers one. */
export const restoreScript = `
for i = 1, #ARGV, 2 do
  if tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or 0) < tonumber(ARGV[i + 1]) then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end`;

const orNone = (limit: number | null) => String(limit ?? -1);

export function encode(items: readonly Item[], proposedEpoch: string) {
  const keys = [epochKey];
  const args = [proposedEpoch, String(windowMs), String(leaseMs)];
  for (const { windows, charge } of items) {
    args.push(String(windows.length));
    for (const { key, limit } of windows) {
      keys.push(key);
      args.push(String(limit));
    }
    if (!charge) {
      args.push('none');
      continue;
    }
    const { userId, month, calls, upload } = charge;
    const expiry = String(expiryOf(month));
    keys.push(callsKey(month.name));
    args.push(upload ? 'upload' : 'call', userId, orNone(calls), expiry);
    if (!upload) continue;
    keys.push(uploadsKey(month.name), leasesKey(userId));
    args.push(orNone(upload.limit), upload.lease);
  }
  return { keys, args };
}

const refusals = [undefined, 'apiCalls', 'uploads'] as const;

/** Reads the script's answer back, item by item. */
export function decode(items: readonly Item[], answer: readonly unknown[], nowMs: number) {
  let at = 1;
  const next = () => Number(answer[at++]);
  const outcomes = items.map(({ windows, charge }): Outcome => {
    const outcome: Outcome = { windows: [], isOver: false, used: undefined };
    for (const { limit } of windows) {
      const count = next();
      const resetAtMs = nowMs + next();
      if (count < 0) continue;
      outcome.windows.push({ count, limit, resetAtMs });
      outcome.isOver = count > limit;
    }
    if (!charge) return outcome;
    const refused = refusals[next()];
    const used = { refused, calls: next(), uploads: next() };
    if (!outcome.isOver) outcome.used = used;
    return outcome;
  });
  return { epoch: String(answer[0]), outcomes };
}
