import { randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../plugins/redis.ts';
import { type Account, type Counts, createMerge, noCounts } from './merge-usage.ts';

/** Calls and uploads, without those that were given back. */
export interface Used {
  apiCalls: number;
  uploads: number;
}

/** What the end of a request adds to the counts of its beginning. */
export type Correction = Omit<Counts, 'calls'>;

const maxAccounts = 50_000;
const maxUnsentAccounts = 100_000;
const accountsAtOnce = 100;
const retentionMs = 7 * 24 * 3_600_000;
const shutdownMs = 2_000;
const retryMs = 50;

let month = monthOf(new Date());

/** The current UTC month. */
export function currentMonth() {
  const now = Date.now();
  if (now < month.start.getTime() || now >= month.end.getTime()) month = monthOf(new Date(now));
  return month;
}

function monthOf(date: Date) {
  const start = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
  const end = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
  return { name: start.toISOString().slice(0, 7), start, end };
}

const toUsed = ({ calls, refunded, uploads, failed }: Counts): Used => ({
  apiCalls: Math.max(0, calls - refunded),
  uploads: Math.max(0, uploads - failed),
});

/**
 * The usage of users by month. This process adds its own counts, which only grow, to those of all gateways in Redis.
 * Sending them twice changes nothing, so whatever Redis did not confirm in time is sent again.
 */
export function createLedger(redis: RedisConnection) {
  const accounts = new LRUCache<string, Account>({ max: maxAccounts });
  const unsent = new Map<string, Account>();
  const mergeInRedis = createMerge(redis);
  let flushing: Promise<void> | undefined;

  function accountOf(userId: string): Account {
    const { name, end } = currentMonth();
    const key = `lms:quota:{${userId}}:${name}`;
    let account = accounts.get(key) ?? unsent.get(key);
    if (!account) {
      const [source, expiresAt] = [randomUUID(), end.getTime() + retentionMs];
      account = { key, source, expiresAt, own: noCounts(), confirmed: noCounts(), total: noCounts() };
      accounts.set(key, account);
    }
    return account;
  }

  /** The usage as far as this process knows. */
  function knownUse({ total, own, confirmed }: Account): Used {
    const sum = (count: keyof Counts) => total[count] + own[count] - confirmed[count];
    return toUsed({
      calls: sum('calls'),
      refunded: sum('refunded'),
      uploads: sum('uploads'),
      failed: sum('failed'),
    });
  }

  // The memory is limited: with so many users in one outage, the usage of further ones may be lost.
  function sendLater(account: Account) {
    if (unsent.size < maxUnsentAccounts) unsent.set(account.key, account);
  }

  /** Adds what this process has counted, and returns the usage up to now. */
  async function merge(account: Account): Promise<Used> {
    const known = knownUse(account);
    if (!redis.isUp()) {
      sendLater(account);
      return known;
    }
    unsent.delete(account.key);
    const own = { ...account.own };
    try {
      const { total, wasLost } = await mergeInRedis({ ...account, own });
      Object.assign(account, { total, confirmed: own });
      if (wasLost) sendAll();
      return toUsed(total);
    } catch (error) {
      redis.degrade(error);
      sendLater(account);
      return known;
    }
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
    /** Counts a call, and an upload if it is one, and returns the usage with it. */
    async count(userId: string, isUpload: boolean) {
      const account = accountOf(userId);
      account.own.calls += 1;
      if (isUpload) account.own.uploads += 1;
      return {
        used: await merge(account),
        correct({ refunded, uploads, failed }: Correction) {
          if (refunded + uploads + failed === 0) return;
          account.own.refunded += refunded;
          account.own.uploads += uploads;
          account.own.failed += failed;
          sendLater(account);
          void flush();
        },
      };
    },
    /** The usage of a user in the current month. */
    read: (userId: string): Promise<Used> => merge(accountOf(userId)),
    async close() {
      const deadline = Date.now() + shutdownMs;
      const isWaiting = () => unsent.size > 0 && redis.client.status === 'ready' && Date.now() < deadline;
      for (await flush(); isWaiting(); await flush()) await sleep(retryMs);
    },
  };
}
export type Ledger = ReturnType<typeof createLedger>;
