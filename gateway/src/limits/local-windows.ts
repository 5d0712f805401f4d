import { LRUCache } from 'lru-cache';
import type { Window, WindowState } from './item.ts';
import { windowMs } from './policy.ts';

const remembered = 100_000;
const sameWindowMs = 1_000;

/** What this process knows of the windows: enough to refuse a flood without asking, and to go on alone. */
export function createLocalWindows() {
  const known = new LRUCache<string, WindowState>({ max: remembered });

  const current = (key: string, nowMs: number) => {
    const state = known.get(key);
    return state && state.resetAtMs > nowMs ? state : undefined;
  };

  return {
    /** What is known here of a window that has no room left; undefined for all others. */
    spent({ key, limit }: Window, nowMs: number): WindowState | undefined {
      const state = current(key, nowMs);
      return state && state.count >= limit ? { ...state, count: limit + 1, limit } : undefined;
    },
    /** Takes over what the common store says. */
    adopt({ key }: Window, state: WindowState, nowMs: number) {
      const before = current(key, nowMs);
      // Seen through a network, one and the same end differs by milliseconds; clients are told one second.
      if (before && Math.abs(before.resetAtMs - state.resetAtMs) < sameWindowMs) state.resetAtMs = before.resetAtMs;
      known.set(key, state);
    },
    /** Counts here alone. */
    hit({ key, limit }: Window, nowMs: number): WindowState {
      const before = current(key, nowMs);
      const state = { count: (before?.count ?? 0) + 1, limit, resetAtMs: before?.resetAtMs ?? nowMs + windowMs };
      known.set(key, state);
      return state;
    },
  };
}
export type LocalWindows = ReturnType<typeof createLocalWindows>;
