import { atMost } from '@lms/service/cache-size';
import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../plugins/redis.ts';

type Counted = [count: number, leftMs: number];

declare module 'ioredis' {
  interface Redis {
    countRequests(keyCount: number, ...keysAndWindow: (string | number)[]): Promise<Counted[]>;
  }
}

/** Counts a request for each key; ARGV: how long a window lasts, in milliseconds. */
const countRequests = `
local counted = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  local left = count > 1 and redis.call('PTTL', key) or -1
  if left < 0 then
    redis.call('PEXPIRE', key, ARGV[1])
    left = tonumber(ARGV[1])
  end
  counted[i] = { count, left }
end
return counted`;

// The plugin returns `ttl` unchanged. It is the time at which the window ends: what is left of it would be read later, so
// that responses of one window named different ends.
type Callback = (error: Error | null, result: { current: number; ttl: number }) => void;

interface Window {
  count: number;
  resetAtMs: number;
}

const maxWindows = 100_000;
const sameWindowMs = 1_000;
const total = { name: 'gateway_counted_alone_total', help: 'Requests that were counted without Redis' };

/**
 * Counts requests in fixed windows for @fastify/rate-limit: in Redis, which all gateways share, or in this process while
 * Redis is unavailable, continuing from its last counts. Full windows are cached, so that floods are refused without a
 * command.
 */
export function createRateLimitStore(redis: RedisConnection, windowMs: number, registry: Registry) {
  const windows = new LRUCache<string, Window>(atMost(maxWindows));
  const countDegraded = createCounter(registry, total);
  redis.client.defineCommand('countRequests', { lua: countRequests });
  const count = redis.inBatches((keys: readonly string[]) =>
    redis.client.countRequests(keys.length, ...keys, windowMs),
  );

  function current(key: string): Window | undefined {
    const window = windows.get(key);
    return window && window.resetAtMs > Date.now() ? window : undefined;
  }

  /** The cached window of a key if it is full. */
  function fullWindow(key: string, max: number): Window | undefined {
    const window = current(key);
    return window && window.count >= max ? window : undefined;
  }

  function cacheWindow(key: string, count: number, resetAtMs: number) {
    windows.set(key, { count, resetAtMs });
    return { current: count, ttl: resetAtMs };
  }

  function countInProcess(key: string) {
    countDegraded();
    const before = current(key);
    return cacheWindow(key, (before?.count ?? 0) + 1, before?.resetAtMs ?? Date.now() + windowMs);
  }

  function updateWindow(key: string, [count, leftMs]: Counted) {
    const resetAtMs = Date.now() + leftMs;
    // With the latency of the network, the end of the same window varies by milliseconds.
    const before = current(key)?.resetAtMs ?? 0;
    return cacheWindow(key, count, Math.abs(before - resetAtMs) < sameWindowMs ? before : resetAtMs);
  }

  class Store {
    incr(key: string, callback: Callback, _windowMs: number, max: number) {
      const full = fullWindow(key, max);
      if (full) return callback(null, { current: max + 1, ttl: full.resetAtMs });
      if (!redis.isUp()) return callback(null, countInProcess(key));
      count(key).then(
        (counted) => callback(null, updateWindow(key, counted)),
        (error: unknown) => {
          redis.degrade(error);
          callback(null, countInProcess(key));
        },
      );
    }
    child() {
      return this;
    }
  }
  return { store: Store, fullWindow };
}
