import { randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { atMost } from '@lms/service/cache-size';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../plugins/redis.ts';

/** Calls and uploads, without those that were given back. */
export interface Used {
  apiCalls: number;
  uploads: number;
}

/** Counts that only grow: what is given back is counted separately. */
export type Counts = Record<'calls' | 'refunded' | 'uploads' | 'failed', number>;

/** A user's month in Redis: each process that has counted has fields of its own, such as `calls:<source>`. */
type Fields = Readonly<Record<string, number>>;

interface Account {
  key: string;
  expiresAt: number;
  /** The name of this process in its fields. An account that has left the cache begins at 0, with another name. */
  source: string;
  /** What this process has counted. */
  own: Fields;
  /** What Redis contains, as far as this process knows. */
  stored: Fields;
}

declare module 'ioredis' {
  interface Redis {
    mergeUsage(keyCount: number, ...keysAndFields: (string | number)[]): Promise<string[][]>;
  }
}

/**
 * Of each field, the larger number is the later one, so it does not matter how often and in which order they are sent. ARGV:
 * for each key its fields as JSON and when it expires. Returns the fields before.
 */
const mergeUsage = `
local before = {}
for i, key in ipairs(KEYS) do
  before[i] = redis.call('HGETALL', key)
  local stored, changes = {}, {}
  for n = 1, #before[i], 2 do stored[before[i][n]] = tonumber(before[i][n + 1]) end
  for field, count in pairs(cjson.decode(ARGV[2 * i - 1])) do
    if count > (stored[field] or 0) then changes[#changes + 1], changes[#changes + 2] = field, count end
  end
  if #changes > 0 then
    redis.call('HSET', key, unpack(changes))
    redis.call('PEXPIREAT', key, ARGV[2 * i])
  end
end
return before`;

const maxAccounts = 50_000;
const maxUnsentAccounts = 100_000;
const accountsAtOnce = 100;
const retentionMs = 7 * 24 * 3_600_000;
const shutdownMs = 2_000;
const retryMs = 50;

function monthOf(now: Date) {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  return { name: start.toISOString().slice(0, 7), start, end };
}
let month = monthOf(new Date());

/** The current UTC month. */
export function currentMonth() {
  const now = Date.now();
  if (now < month.start.getTime() || now >= month.end.getTime()) month = monthOf(new Date(now));
  return month;
}

// Before each process had fields of its own, there was one with the sum, whose name is the beginning of theirs.
const sumOf = (fields: Fields, name: keyof Counts) =>
  Object.entries(fields).reduce((sum, [field, count]) => (field.startsWith(name) ? sum + count : sum), 0);

const toUsed = (fields: Fields): Used => ({
  apiCalls: Math.max(0, sumOf(fields, 'calls') - sumOf(fields, 'refunded')),
  uploads: Math.max(0, sumOf(fields, 'uploads') - sumOf(fields, 'failed')),
});

/** The fields in a reply to HGETALL. */
function toFields(reply: string[] = []): Record<string, number> {
  const fields: Record<string, number> = {};
  for (let at = 0; at < reply.length; at += 2) fields[reply[at] ?? ''] = Number(reply[at + 1]) || 0;
  return fields;
}

/**
 * The usage of users by month: each gateway counts for itself, and stores its counts beside those of the others. Each knows
 * the counts of all, so that it can restore what Redis has lost.
 */
export function createLedger(redis: RedisConnection) {
  const accounts = new LRUCache<string, Account>(atMost(maxAccounts));
  const unsent = new Map<string, Account>();
  let flushing: Promise<void> | undefined;

  redis.client.defineCommand('mergeUsage', { lua: mergeUsage });
  const mergeInRedis = redis.inBatches(async (batch: ReadonlyMap<Account, number>): Promise<true[]> => {
    const sent = [...batch.keys()].map((account) => ({ account, fields: { ...account.stored, ...account.own } }));
    const values = sent.flatMap(({ account, fields }) => [JSON.stringify(fields), account.expiresAt]);
    const replies = await redis.client.mergeUsage(sent.length, ...sent.map(({ account }) => account.key), ...values);
    return sent.map(({ account, fields }, at) => {
      const stored = toFields(replies[at]);
      const isLost = (field: string) => (stored[field] ?? 0) < (account.stored[field] ?? 0);
      if (Object.keys(account.stored).some(isLost)) sendAll();
      for (const field in fields) stored[field] = Math.max(stored[field] ?? 0, fields[field] ?? 0);
      account.stored = stored;
      return true;
    });
  });

  function accountOf(userId: string): Account {
    const { name, end } = currentMonth();
    const key = `lms:quota:{${userId}}:${name}`;
    const known = accounts.get(key) ?? unsent.get(key);
    if (known) return known;
    const account = { key, expiresAt: end.getTime() + retentionMs, source: randomUUID(), own: {}, stored: {} };
    accounts.set(key, account);
    return account;
  }

  function add(account: Account, more: Partial<Counts>) {
    const own: Record<string, number> = { ...account.own };
    for (const [name, count] of Object.entries(more)) {
      const field = `${name}:${account.source}`;
      own[field] = (own[field] ?? 0) + count;
    }
    account.own = own;
  }

  /** Stores what this process has counted, and returns the usage without what is counted after this call. */
  async function merge(account: Account): Promise<Used> {
    const { own } = account;
    unsent.delete(account.key);
    const { reply } = await mergeInRedis(account);
    if (!reply) sendLater(account);
    return toUsed({ ...account.stored, ...own });
  }

  // The memory is limited: with so many users in one outage, the usage of further ones may be lost.
  function sendLater(account: Account) {
    if (unsent.size < maxUnsentAccounts) unsent.set(account.key, account);
  }

  /** Redis may have lost data: it gets all counts that this process knows. */
  function sendAll() {
    if (flushing) return;
    for (const account of accounts.values()) sendLater(account);
    void flush();
  }
  redis.onReturn(sendAll);

  function flush(): Promise<void> {
    flushing ??= sendUnsent().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  async function sendUnsent() {
    for (await turn(); unsent.size > 0 && redis.isUp(); await turn()) {
      const batch: Promise<Used>[] = [];
      for (const account of unsent.values()) if (batch.push(merge(account)) === accountsAtOnce) break;
      await Promise.all(batch);
    }
  }

  return {
    /** Counts a request, and returns the usage with it and a function that corrects it later. */
    async count(userId: string, counts: Partial<Counts>) {
      const account = accountOf(userId);
      add(account, counts);
      return {
        used: await merge(account),
        correct(correction: Partial<Counts>) {
          if (Object.values(correction).every((count) => count === 0)) return;
          add(account, correction);
          sendLater(account);
          void flush();
        },
      };
    },
    read: (userId: string): Promise<Used> => merge(accountOf(userId)),
    async close() {
      const deadline = performance.now() + shutdownMs;
      const isWaiting = () => unsent.size > 0 && redis.client.status === 'ready' && performance.now() < deadline;
      for (await flush(); isWaiting(); await flush()) await sleep(retryMs);
    },
  };
}
