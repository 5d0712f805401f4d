import { atMost } from '@lms/service/cache-size';
import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../plugins/redis.ts';

type Counted = [count: number, leftMs: number];

declare module 'ioredis' {
  interface Redis {
    countRequests(keyCount: number, ...keysWindowAndCounts: (string | number)[]): Promise<Counted[]>;
  }
}

/**
 * ARGV: how long a window lasts, in milliseconds, and for each key the number of requests. More is left of a window only
 * after a clock was set back.
 */
const countRequests = `
local counted, window = {}, tonumber(ARGV[1])
for i, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[i + 1])
  local left = redis.call('PTTL', key)
  if left < 0 or left > window then
    redis.call('PEXPIRE', key, window)
    left = window
  end
  counted[i] = { count, left }
end
return counted`;

interface Window {
  current: number;
  /**
   * The time at which the window ends. The plugin returns it unchanged: what is left of the window would be read later, so
   * that responses of one window named different ends.
   */
  ttl: number;
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
  const count = redis.inBatches(async (requests: ReadonlyMap<string, number>) => {
    const keys = [...requests.keys()];
    const counted = await redis.client.countRequests(keys.length, ...keys, windowMs, ...requests.values());
    return counted.map(([current, leftMs], at) => saveWindow(keys[at] ?? '', current, Date.now() + leftMs));
  });

  function currentWindow(key: string): Window | undefined {
    const window = windows.get(key);
    const leftMs = window ? window.ttl - Date.now() : 0;
    return leftMs > 0 && leftMs <= windowMs ? window : undefined;
  }

  function saveWindow(key: string, current: number, endsAt: number): Window {
    // With the latency of the network, the end of the same window varies by milliseconds.
    const before = currentWindow(key)?.ttl ?? 0;
    const window = { current, ttl: Math.abs(before - endsAt) < sameWindowMs ? before : endsAt };
    windows.set(key, window);
    return window;
  }

  function countInProcess(key: string): Window {
    countDegraded();
    const { current, ttl } = currentWindow(key) ?? { current: 0, ttl: Date.now() + windowMs };
    return saveWindow(key, current + 1, ttl);
  }

  class Store {
    async incr(key: string, callback: (error: null, window: Window) => void) {
      const { reply, later } = await count(key);
      callback(null, reply ? { current: reply.current - later, ttl: reply.ttl } : countInProcess(key));
    }
    child() {
      return this;
    }
  }

  return {
    store: Store,
    fullWindow(key: string, max: number): Window | undefined {
      const window = currentWindow(key);
      return window && window.current >= max ? window : undefined;
    },
  };
}
