import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { currentMonth } from './months.ts';
import type { Metric } from './policy.ts';
import type { Delta, Lease, QuotaBook } from './quota-book.ts';
import { callsKey, epochKey, expiryOf, leaseMs, leasesKey, restoreScript, uploadsKey } from './script.ts';
import type { Store } from './store.ts';

const copyMs = 60_000;
const renewMs = leaseMs / 3;
const usersAtOnce = 1_000;

const keyOf = (metric: Metric, month: string) => (metric === 'apiCalls' ? callsKey(month) : uploadsKey(month));

/**
 * Keeps Redis and this process' book of usage in step: tells Redis what was counted without it, copies what other
 * gateways counted once a minute, and after a loss of everything writes back what is known here.
 */
export function keepBook(store: Store, book: QuotaBook, logger: Logger) {
  const { redis } = store;
  const proposedEpoch = randomUUID();
  let epoch: string | undefined;
  let restoring: Promise<void> | undefined;
  let sending: Promise<void> | undefined;

  /** True when Redis may know less than this process does. */
  const isStale = (seen: string) => restoring !== undefined || (epoch !== undefined && epoch !== seen);

  function notice(seen: string) {
    const isNew = epoch !== undefined && epoch !== seen;
    epoch = seen;
    if (!isNew) return;
    logger.warn('redis has lost its memory; usage is written back');
    restoring = restore().finally(() => {
      restoring = undefined;
    });
  }

  async function restore() {
    const { name } = currentMonth();
    for (const metric of ['apiCalls', 'uploads'] as const) {
      const entries = book.entries(metric);
      for (let at = 0; at < entries.length; at += usersAtOnce) {
        const args = entries.slice(at, at + usersAtOnce).flatMap(([userId, value]) => [userId, String(value)]);
        await store.run(redis.eval(restoreScript, 1, keyOf(metric, name), ...args)).catch((err: unknown) => {
          logger.error({ err }, 'usage could not be written back');
        });
      }
    }
  }

  /** Tells Redis what was counted without it. */
  function send(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  async function sendAll() {
    for (let taken = book.takeUnsent(); taken; taken = book.takeUnsent()) {
      const unsent = taken;
      const changes = redis.multi();
      for (const { month, metric, userId, by } of unsent.deltas)
        changes.hincrby(keyOf(metric, month.name), userId, by).pexpireat(keyOf(metric, month.name), expiryOf(month));
      // In one step with its upload: in between, that would count twice or not at all.
      for (const { userId, name } of unsent.ended) changes.zrem(leasesKey(userId), name);
      await store.run(changes.exec()).catch((error: unknown) => {
        book.putBack(unsent);
        throw error;
      });
    }
  }

  async function copy() {
    if (!store.isUp()) return;
    await redis.set(epochKey, proposedEpoch, 'NX');
    notice((await redis.get(epochKey)) ?? proposedEpoch);
    await restoring;
    const { name } = currentMonth();
    for (const metric of ['apiCalls', 'uploads'] as const)
      for await (const page of redis.hscanStream(keyOf(metric, name), { count: usersAtOnce }))
        for (let at = 0; at < page.length; at += 2) book.adopt(metric, String(page[at]), Number(page[at + 1]));
  }

  async function renew() {
    const leases = book.leases();
    if (!store.isUp() || leases.length === 0) return;
    const changes = redis.multi();
    for (const [userId, names] of leases) {
      for (const name of names) changes.zadd(leasesKey(userId), Date.now() + leaseMs, name);
      changes.pexpire(leasesKey(userId), leaseMs);
    }
    await store.run(changes.exec());
  }

  const quietly = (work: () => Promise<unknown>) => () => {
    work().catch((err: unknown) => logger.warn({ err }, 'usage could not be kept in step'));
  };
  const timers = [setInterval(quietly(copy), copyMs).unref(), setInterval(quietly(renew), renewMs).unref()];
  store.onReturn(send);
  store.onReturn(async () => setImmediate(quietly(copy)));

  async function read(metric: Metric, userId: string): Promise<number> {
    if (!store.isUp()) return book.get(metric, userId);
    const count = store.run(redis.hget(keyOf(metric, currentMonth().name), userId));
    return count.then((value) => Math.max(0, Number(value ?? 0))).catch(() => book.get(metric, userId));
  }

  return {
    isStale,
    notice,
    /** What somebody has used this month. */
    read,
    /** Keeps the reservation of an upload that runs. */
    hold: book.reserve,
    /** Settles what a request took: now if Redis is there, else when it returns. */
    settle(deltas: Delta[], lease?: Lease) {
      for (const delta of deltas) book.add(delta);
      if (lease) book.release(lease);
      if (store.isUp()) quietly(send)();
    },
    close() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
export type BookKeeper = ReturnType<typeof keepBook>;
