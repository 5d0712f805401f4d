import { randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { atMost } from '@lms/service/cache-size';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../plugins/redis.ts';
import { type Account, type Counts, createMerge, toCounts } from './merge-usage.ts';

/** Calls and uploads, without those that were given back. */
export interface Used {
  apiCalls: number;
  uploads: number;
}

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

const zero = () => toCounts(() => 0);

const toUsed = ({ calls, refunded, uploads, failed }: Counts): Used => ({
  apiCalls: Math.max(0, calls - refunded),
  uploads: Math.max(0, uploads - failed),
});

/**
 * The usage of users by month. This process adds its own counts, which only grow, to those of all gateways in Redis.
 * Sending them twice changes nothing, so whatever Redis did not confirm in time is sent again.
 */
export function createLedger(redis: RedisConnection) {
  const accounts = new LRUCache<string, Account>(atMost(maxAccounts));
  const unsent = new Map<string, Account>();
  const mergeInRedis = createMerge(redis);
  let flushing: Promise<void> | undefined;

  function accountOf(userId: string): Account {
    const { name, end } = currentMonth();
    const key = `lms:quota:{${userId}}:${name}`;
    let account = accounts.get(key) ?? unsent.get(key);
    if (!account) {
      const [source, expiresAt] = [randomUUID(), end.getTime() + retentionMs];
      account = { key, source, expiresAt, own: zero(), confirmed: zero(), total: zero(), generation: 0 };
      accounts.set(key, account);
    }
    return account;
  }

  const knownUse = ({ total, own, confirmed }: Account) =>
    toUsed(toCounts((name) => total[name] + own[name] - confirmed[name]));

  // The memory is limited: with so many users in one outage, the usage of further ones may be lost.
  function sendLater(account: Account) {
    if (unsent.size < maxUnsentAccounts) unsent.set(account.key, account);
  }

  /** Adds what this process has counted, and returns the usage up to now. */
  async function merge(account: Account): Promise<Used> {
    const [known, { own }] = [knownUse(account), account];
    unsent.delete(account.key);
    const { reply } = await mergeInRedis(account);
    if (!reply) {
      sendLater(account);
      return known;
    }
    const { own: confirmed, total, wasLost, generation } = reply;
    Object.assign(account, { total, confirmed, generation });
    if (wasLost) sendAll();
    // Without what was counted after this request.
    return toUsed(toCounts((name) => total[name] - confirmed[name] + own[name]));
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

  function add(account: Account, more: Counts) {
    account.own = toCounts((name) => account.own[name] + more[name]);
  }

  return {
    /** Counts a request, and returns the usage with it and a function that corrects it later. */
    async count(userId: string, counts: Counts) {
      const account = accountOf(userId);
      add(account, counts);
      return {
        used: await merge(account),
        correct(correction: Counts) {
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
