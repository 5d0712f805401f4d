import { randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../plugins/redis.ts';
import {
  type Application,
  type Change,
  type Counts,
  createUsageScript,
  leaseMs,
  runningKey,
  usageKey,
} from './scripts.ts';

/** Calls and uploads, without those that were given back. */
export interface Used {
  apiCalls: number;
  uploads: number;
}

/** What a request takes from its caller's month; an upload is reserved under the name of its lease until it is settled. */
export type Charge = Pick<Application, 'userId' | 'month' | 'limits' | 'lease'>;

export interface Charged {
  refused?: keyof Used;
  used: Used;
}

/** One user's month. */
interface Account extends Pick<Application, 'userId' | 'month' | 'expiresAt' | 'known'> {
  /** What may have reached Redis and is not confirmed. */
  sent: Change[];
  /** What has not been sent, summed up. */
  unsent: Change | undefined;
}

const maxAccounts = 50_000;
const maxWaitingAccounts = 100_000;
const accountsAtOnce = 100;
const keptAfterMonthMs = 7 * 24 * 3_600_000;
const markMs = 40 * 24 * 3_600_000;
const restoreAgainMs = 1_000;
const shutdownMs = 2_000;
const unlimited: Charge['limits'] = { apiCalls: null, uploads: null };
const none = (): Change => ({ sequence: 0, calls: 0, refunded: 0, uploads: 0, leases: [] });

let month = monthOf(new Date());

/** The UTC month, as quotas count it. */
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

/**
 * What users have used of their month. Redis counts; while it is out of reach this process counts by itself, from what
 * it last knew, and sends the sums when Redis is back. A change whose confirmation is missing is sent again under its
 * number, so nothing is counted twice and nothing is lost.
 */
export function createLedger(redis: RedisConnection, log: FastifyBaseLogger) {
  const { client } = redis;
  const gateway = `gateway:${randomUUID()}`;
  const accounts = new LRUCache<string, Account>({ max: maxAccounts });
  /** The accounts with changes that Redis has yet to confirm. */
  const waiting = new Map<string, Account>();
  const running = new Map<string, Set<string>>();
  let lastSequence = 0;
  let [isFlushing, restoredAt] = [false, Number.NEGATIVE_INFINITY];
  const applyUsage = createUsageScript(redis, gateway);

  function accountOf(userId: string, month = currentMonth().name): Account {
    const key = usageKey(userId, month);
    const cached = accounts.get(key);
    if (cached) return cached;
    const expiresAt = Date.parse(`${month}-01`) + 31 * 24 * 3_600_000 + keptAfterMonthMs;
    const account = waiting.get(key) ?? { userId, month, expiresAt, known: none(), sent: [], unsent: undefined };
    accounts.set(key, account);
    return account;
  }

  function usedOf({ known, sent, unsent = none() }: Account): Used {
    const sum = (count: keyof Counts) =>
      [...sent, unsent].reduce((total, change) => total + change[count], known[count]);
    return { apiCalls: Math.max(0, sum('calls') - sum('refunded')), uploads: sum('uploads') };
  }

  /** Has Redis apply a change, unless it has done so before. */
  async function apply(account: Account, change: Change, limits = unlimited, lease?: string) {
    const { userId, month, expiresAt, known } = account;
    const application = { userId, month, expiresAt, known, change, limits, lease };
    const [calls, refunded, uploads, wasLost, refused, runningUploads] = await applyUsage(application);
    account.known = { calls, refunded, uploads };
    if (wasLost === 1) restore();
    return { refused, used: { apiCalls: calls - refunded, uploads: uploads + runningUploads } };
  }

  /** Takes a call, and for an upload a reservation, unless the month's quota is used up. */
  async function charge(request: Charge): Promise<Charged> {
    const account = accountOf(request.userId, request.month);
    if (!redis.isUp()) return chargeHere(account, request);
    // Before a newer number of the sequence, or they would count as applied.
    if (account.sent.length > 0) send(account).catch(redis.degrade);
    lastSequence += 1;
    const change = { ...none(), calls: 1, sequence: lastSequence };
    try {
      const { refused, used } = await apply(account, change, request.limits, request.lease);
      if (refused === 'apiCalls' || refused === 'uploads') return { refused, used };
      reserve(request);
      return { used };
    } catch (error) {
      redis.degrade(error);
      // The call may have been counted, or may still be.
      return chargeHere(account, request, change.sequence);
    }
  }

  function chargeHere(account: Account, request: Charge, sequence?: number): Charged {
    const { userId, limits, lease } = request;
    const used = usedOf(account);
    if (lease) used.uploads += running.get(userId)?.size ?? 0;
    const isFull = (metric: keyof Used) => limits[metric] !== null && used[metric] >= limits[metric];
    const refused = isFull('apiCalls') ? 'apiCalls' : lease && isFull('uploads') ? 'uploads' : undefined;
    const change = { ...none(), calls: refused ? 0 : 1, leases: refused && lease ? [lease] : [] };
    if (sequence !== undefined) {
      account.sent.push({ ...change, sequence });
      waiting.set(usageKey(userId, account.month), account);
    } else if (!refused) add(account, change);
    if (refused) return { refused, used };
    reserve(request);
    return { used: { apiCalls: used.apiCalls + 1, uploads: used.uploads + (lease ? 1 : 0) } };
  }

  /** Notes a change that is to be sent to Redis. */
  function add(account: Account, { calls, refunded, uploads, leases }: Change) {
    const key = usageKey(account.userId, account.month);
    // So many users in one outage: what more of them use is not counted, which is cheaper than to run out of memory.
    if (!waiting.has(key) && waiting.size >= maxWaitingAccounts) return;
    waiting.set(key, account);
    account.unsent ??= none();
    account.unsent.calls += calls;
    account.unsent.refunded += refunded;
    account.unsent.uploads += uploads;
    account.unsent.leases.push(...leases);
  }

  function reserve({ userId, lease }: Charge) {
    if (lease) running.set(userId, (running.get(userId) ?? new Set()).add(lease));
  }

  /** Gives back what was not earned, counts an upload that was, and ends its reservation. */
  function settle({ userId, month, lease }: Charge, unearned: Used) {
    const leases = running.get(userId);
    if (lease && leases?.delete(lease) && leases.size === 0) running.delete(userId);
    if (!lease && unearned.apiCalls === 0) return;
    const uploads = lease ? 1 - unearned.uploads : 0;
    add(accountOf(userId, month), { ...none(), refunded: unearned.apiCalls, uploads, leases: lease ? [lease] : [] });
    if (redis.isUp()) void flush();
  }

  /** Sends everything that waits, a hundred accounts at a time. */
  async function flush() {
    if (isFlushing) return;
    isFlushing = true;
    try {
      for (await turn(); waiting.size > 0; await turn()) await sendNext();
    } catch (err) {
      log.warn({ err }, 'Usage could not be sent to Redis; it is kept');
    }
    isFlushing = false;
  }

  async function sendNext() {
    const batch: Account[] = [];
    for (const account of waiting.values()) if (batch.push(account) === accountsAtOnce) break;
    await Promise.all(batch.map(send)).catch((error: unknown) => {
      redis.degrade(error);
      throw error;
    });
  }

  async function send(account: Account) {
    // What is not confirmed goes first, and alone: how much of it had arrived is known only afterwards.
    if (account.sent.length === 0 && account.unsent) {
      lastSequence += 1;
      account.sent.push({ ...account.unsent, sequence: lastSequence });
      account.unsent = undefined;
    }
    const changes = [...account.sent];
    await Promise.all(changes.map((change) => apply(account, change)));
    account.sent = account.sent.filter((change) => !changes.includes(change));
    if (account.sent.length === 0 && !account.unsent) waiting.delete(usageKey(account.userId, account.month));
  }

  /** After Redis has lost its memory, every account that this process knows is raised to what it knows. */
  function restore() {
    if (performance.now() - restoredAt < restoreAgainMs) return;
    restoredAt = performance.now();
    log.warn('Redis has lost usage; it is restored');
    for (const account of accounts.values()) add(account, none());
    if (redis.isUp()) void flush();
  }

  async function renewLeases() {
    const until = Date.now() + leaseMs;
    for (const [userId, leases] of running) {
      for (const lease of leases) await client.zadd(runningKey(userId), until, lease);
      await client.pexpire(runningKey(userId), leaseMs);
    }
  }

  const timer = setInterval(() => {
    if (redis.isUp()) renewLeases().catch(redis.degrade);
  }, leaseMs / 3);
  redis.onReturn(async () => {
    // A mark that is missing although this process has set it: Redis came back without its memory.
    const isMarkMissing = (await client.set(`lms:quota:${gateway}`, 1, 'PX', markMs, 'NX')) === 'OK';
    if (isMarkMissing && accounts.size > 0) restore();
    await renewLeases();
    while (waiting.size > accountsAtOnce) {
      await sendNext();
      await turn();
    }
    // Commands arrive in order: whatever is charged from now on finds these applied.
    sendNext().then(flush, redis.degrade);
  });

  return {
    charge,
    settle,
    /** What a user has used of this month. */
    async read(userId: string): Promise<Used> {
      const account = accountOf(userId);
      if (redis.isUp()) await apply(account, none()).catch(redis.degrade);
      return usedOf(account);
    },
    async close() {
      clearInterval(timer);
      if (redis.isUp()) await Promise.race([flush(), sleep(shutdownMs, undefined, { ref: false })]);
    },
  };
}
export type Ledger = ReturnType<typeof createLedger>;
