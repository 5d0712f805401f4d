import type { Charge, Used } from './item.ts';
import { currentMonth, type Month } from './months.ts';
import type { Metric } from './policy.ts';

export interface Delta {
  month: Month;
  metric: Metric;
  userId: string;
  by: number;
}

/** A place that an upload held until it was settled. */
export interface Lease {
  userId: string;
  name: string;
}

/**
 * This process' copy of the month's usage. It decides while Redis is away, and gives Redis its memory back
 * should it have lost it.
 */
export function createQuotaBook() {
  let month = currentMonth();
  const used: Record<Metric, Map<string, number>> = { apiCalls: new Map(), uploads: new Map() };
  const reserved = new Map<string, Set<string>>();
  let unsent: Delta[] = [];
  let ended: Lease[] = [];

  function turnPage() {
    if (month.name === currentMonth().name) return;
    month = currentMonth();
    used.apiCalls.clear();
    used.uploads.clear();
  }

  const get = (metric: Metric, userId: string) => used[metric].get(userId) ?? 0;
  const isFull = (limit: number | null, count: number) => limit !== null && count >= limit;

  return {
    get(metric: Metric, userId: string) {
      turnPage();
      return get(metric, userId);
    },
    entries(metric: Metric): [string, number][] {
      turnPage();
      return [...used[metric]];
    },
    /** Takes over what Redis says; `atLeast` while Redis may have forgotten. */
    adopt(metric: Metric, userId: string, value: number, atLeast = false) {
      turnPage();
      used[metric].set(userId, atLeast ? Math.max(value, get(metric, userId)) : value);
    },
    /** Decides alone; what it counts is told to Redis later. */
    charge({ userId, calls, upload }: Charge): Used {
      turnPage();
      const running = reserved.get(userId)?.size ?? 0;
      const now = { calls: get('apiCalls', userId), uploads: get('uploads', userId) + running };
      if (isFull(calls, now.calls)) return { ...now, refused: 'apiCalls' };
      if (upload && isFull(upload.limit, now.uploads)) return { ...now, refused: 'uploads' };
      this.add({ month, metric: 'apiCalls', userId, by: 1 });
      if (upload) this.reserve(userId, upload.lease);
      return { calls: now.calls + 1, uploads: upload ? now.uploads + 1 : now.uploads, refused: undefined };
    },
    /** Notes a change that Redis has yet to hear of. */
    add(delta: Delta) {
      turnPage();
      unsent.push(delta);
      if (delta.month.name === month.name)
        used[delta.metric].set(delta.userId, Math.max(0, get(delta.metric, delta.userId) + delta.by));
    },
    reserve(userId: string, lease: string) {
      reserved.set(userId, (reserved.get(userId) ?? new Set()).add(lease));
    },
    /** Ends a reservation, of which Redis has yet to hear as well. */
    release(lease: Lease) {
      const leases = reserved.get(lease.userId);
      leases?.delete(lease.name);
      if (leases?.size === 0) reserved.delete(lease.userId);
      ended.push(lease);
    },
    leases: () => [...reserved],
    /** What Redis has yet to hear, once; undefined when there is nothing. */
    takeUnsent() {
      if (unsent.length + ended.length === 0) return undefined;
      const taken = { deltas: unsent, ended };
      unsent = [];
      ended = [];
      return taken;
    },
    putBack(taken: { deltas: Delta[]; ended: Lease[] }) {
      unsent = [...taken.deltas, ...unsent];
      ended = [...taken.ended, ...ended];
    },
  };
}
export type QuotaBook = ReturnType<typeof createQuotaBook>;
