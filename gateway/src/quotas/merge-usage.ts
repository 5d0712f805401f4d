import type { RedisConnection } from '../plugins/redis.ts';

/** Counts that only grow: what is given back is counted separately. */
export type Counts = Record<'calls' | 'refunded' | 'uploads' | 'failed', number>;

export const toCounts = (countOf: (name: keyof Counts) => number): Counts => ({
  calls: countOf('calls'),
  refunded: countOf('refunded'),
  uploads: countOf('uploads'),
  failed: countOf('failed'),
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
  /** When the data in Redis was begun, in milliseconds; 0 before. If it is newer later, Redis has lost all in between. */
  generation: number;
}

declare module 'ioredis' {
  interface Redis {
    mergeUsage(keyCount: number, ...keysAndAccounts: string[]): Promise<string>;
  }
}

/** `own` is what was sent: the process may have counted more since. */
type Merged = Pick<Account, 'own' | 'total' | 'generation'> & { wasLost: boolean };

/**
 * Adds what a source has counted since it was last stored to the totals. If Redis has lost data, both continue from what the
 * gateway knows. If it has lost all, the first gateway begins a new generation with the totals that it knows as `base`, and
 * another one may know more of what was lost. ARGV: for each key the account and the time.
 */
const mergeUsage = `
local names, results = { 'calls', 'refunded', 'uploads', 'failed' }, {}
for i, key in ipairs(KEYS) do
  local account, fields, changes, sum, wasLost = cjson.decode(ARGV[i]), {}, {}, {}, false
  for n, name in ipairs(names) do
    fields[n], fields[n + 4] = name, account.source .. ':' .. name
  end
  fields[9], fields[10] = 'generation', 'base'
  local stored = redis.call('HMGET', key, unpack(fields))
  local generation = tonumber(stored[9] or 0)
  local isNewer = account.generation > 0 and generation > account.generation
  local oldBase, newBase = isNewer and cjson.decode(stored[10]) or {}, {}
  for n, name in ipairs(names) do
    local own, known = account.own[name], account.total[name]
    local total, applied = tonumber(stored[n] or 0), tonumber(stored[n + 4] or 0)
    -- What was counted since the loss is not known to this source.
    local base = isNewer and oldBase[name] or total
    wasLost = wasLost or isNewer or total < known
    newBase[name] = math.max(base, known)
    sum[name] = newBase[name] + total - base + math.max(0, own - math.max(applied, account.confirmed[name]))
    if sum[name] > total then
      for _, value in ipairs({ name, sum[name], fields[n + 4], own }) do changes[#changes + 1] = value end
    end
  end
  if #changes > 0 then
    local isFirst = generation == 0
    if isFirst then generation = math.max(account.now, account.generation + 1) end
    if isFirst or isNewer then
      for _, value in ipairs({ 'generation', generation, 'base', cjson.encode(newBase) }) do changes[#changes + 1] = value end
    end
    redis.call('HSET', key, unpack(changes))
    redis.call('PEXPIREAT', key, account.expiresAt)
  end
  results[i] = { own = account.own, total = sum, wasLost = wasLost, generation = generation }
end
return cjson.encode(results)`;

/** Returns a function that merges accounts; those of one turn of the event loop are merged with one command. */
export function createMerge({ client, inBatches }: RedisConnection) {
  client.defineCommand('mergeUsage', { lua: mergeUsage });
  return inBatches(async (accounts: ReadonlyMap<Account, number>): Promise<Merged[]> => {
    const sent = [...accounts.keys()].map((account) => ({ ...account, now: Date.now() }));
    const keys = sent.map(({ key }) => key);
    const values = sent.map((account) => JSON.stringify(account));
    return JSON.parse(await client.mergeUsage(keys.length, ...keys, ...values));
  });
}
