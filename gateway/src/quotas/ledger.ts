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

/** Calls and uploads, without refunded ones. */
export interface Used {
  apiCalls: number;
  uploads: number;
}

/** What a request is charged for. An upload is reserved under its lease until it is finalized. */
export type Charge = Pick<Application, 'userId' | 'month' | 'limits' | 'lease'>;

export interface Charged {
  refused?: keyof Used;
  used: Used;
}

/** One user's month. */
interface Account extends Pick<Application, 'userId' | 'month' | 'expiresAt' | 'known'> {
  /** Changes that have been sent and are not confirmed. */
  sent: Change[];
  /** The sum of the changes that have not been sent. */
  unsent: Change | undefined;
}

const maxAccounts = 50_000;
const maxWaitingAccounts = 100_000;
const accountsAtOnce = 100;
const retentionMs = 7 * 24 * 3_600_000;
const markMs = 40 * 24 * 3_600_000;
const restoreAgainMs = 1_000;
const shutdownMs = 2_000;
const unlimited: Charge['limits'] = { apiCalls: null, uploads: null };
const none = (): Change => ({ sequence: 0, calls: 0, refunded: 0, uploads: 0, leases: [] });

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

/**
 * The usage of users by month, stored in Redis. While Redis is unavailable, this process counts from the last known usage,
 * and sends the sums when Redis is back. An unconfirmed change is sent again with the same sequence number, and Redis
 * applies each number once.
 */
export function createLedger(redis: RedisConnection, log: FastifyBaseLogger) {
  const { client } = redis;
  const gateway = `gateway:${randomUUID()}`;
  const accounts = new LRUCache<string, Account>({ max: maxAccounts });
  /** The accounts with unconfirmed changes. */
  const waiting = new Map<string, Account>();
  const running = new Map<string, Set<string>>();
  let lastSequence = 0;
  let [isFlushing, restoredAt] = [false, Number.NEGATIVE_INFINITY];
  const applyUsage = createUsageScript(redis, gateway);

  function accountOf(userId: string, month = currentMonth().name): Account {
    const key = usageKey(userId, month);
    const cached = accounts.get(key);
    if (cached) return cached;
    const expiresAt = Date.parse(`${month}-01`) + 31 * 24 * 3_600_000 + retentionMs;
    const account = waiting.get(key) ?? { userId, month, expiresAt, known: none(), sent: [], unsent: undefined };
    accounts.set(key, account);
    return account;
  }

  function usedOf({ known, sent, unsent = none() }: Account): Used {
    const sum = (count: keyof Counts) =>
      [...sent, unsent].reduce((total, change) => total + change[count], known[count]);
    return { apiCalls: Math.max(0, sum('calls') - sum('refunded')), uploads: sum('uploads') };
  }

  /** Sends a change to Redis, which applies it unless it already has. */
  async function apply(account: Account, change: Change, limits = unlimited, lease?: string) {
    const { userId, month, expiresAt, known } = account;
    const application = { userId, month, expiresAt, known, change, limits, lease };
    const [calls, refunded, uploads, wasLost, refused, runningUploads] = await applyUsage(application);
    account.known = { calls, refunded, uploads };
    if (wasLost === 1) restore();
    return { refused, used: { apiCalls: calls - refunded, uploads: uploads + runningUploads } };
  }

  /** Counts a call, and reserves an upload, unless the monthly quota is used up. */
  async function charge(request: Charge): Promise<Charged> {
    const account = accountOf(request.userId, request.month);
    if (!redis.isUp()) return chargeInProcess(account, request);
    // Before a higher sequence number, after which they would be taken for applied.
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
      // Redis may have counted the call, or may do so later.
      return chargeInProcess(account, request, change.sequence);
    }
  }

  function chargeInProcess(account: Account, request: Charge, sequence?: number): Charged {
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

  /** Adds a change to send to Redis. */
  function add(account: Account, { calls, refunded, uploads, leases }: Change) {
    const key = usageKey(account.userId, account.month);
    // The memory is limited: with so many users in one outage, the usage of further ones is not counted.
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

  /** Refunds a failed request, counts a successful upload and ends its reservation. */
  function finalize({ userId, month, lease }: Charge, refundOf: Used) {
    const leases = running.get(userId);
    if (lease && leases?.delete(lease) && leases.size === 0) running.delete(userId);
    if (!lease && refundOf.apiCalls === 0) return;
    const uploads = lease ? 1 - refundOf.uploads : 0;
    add(accountOf(userId, month), { ...none(), refunded: refundOf.apiCalls, uploads, leases: lease ? [lease] : [] });
    if (redis.isUp()) void flush();
  }

  /** Sends all pending changes, a hundred accounts at a time. */
  async function flush() {
    if (isFlushing) return;
    isFlushing = true;
    try {
      for (await turn(); waiting.size > 0; await turn()) await sendNext();
    } catch (err) {
      log.warn({ err }, 'Sending usage to Redis failed; it will be sent again');
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
    // Unconfirmed changes are sent alone, before newer ones.
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

  /** After Redis has lost data, raises its counts to what this process knows. */
  function restore() {
    if (performance.now() - restoredAt < restoreAgainMs) return;
    restoredAt = performance.now();
    log.warn('Redis has lost usage; restoring it');
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
    // If the mark of this process is missing, Redis came back without its data.
    const isMarkMissing = (await client.set(`lms:quota:${gateway}`, 1, 'PX', markMs, 'NX')) === 'OK';
    if (isMarkMissing && accounts.size > 0) restore();
    await renewLeases();
    while (waiting.size > accountsAtOnce) {
      await sendNext();
      await turn();
    }
    // Commands are executed in order, so later charges see these changes.
    sendNext().then(flush, redis.degrade);
  });

  return {
    charge,
    finalize,
    /** The usage of a user in the current month. */
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
