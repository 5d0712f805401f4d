import { unavailable } from '@lms/service/problems';
import type { CryptoKey } from 'jose';
import type { Logger } from 'pino';
import { fetchKeys } from './fetch-keys.ts';

export interface KeySetOptions {
  url: string;
  logger: Logger;
  /** Called after every fetch that succeeded. */
  replaced?: () => void;
}

const refreshMs = 5 * 60_000;
const retryMs = 3_000;
const unknownKeyPauseMs = 5_000;
const staleMs = 24 * 3_600_000;

/**
 * The provider's keys, fetched in the background and kept for a day while the provider is out of reach.
 * Any number of waiters share one fetch, and unknown key ids cause at most one in five seconds.
 */
export function openKeySet({ url, logger, replaced }: KeySetOptions) {
  let keys = new Map<string, CryptoKey>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const isUsable = () => performance.now() - loadedAt < staleMs;

  function refresh(): Promise<void> {
    fetching ??= load().finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  async function load() {
    clearTimeout(timer);
    startedAt = performance.now();
    let pauseMs = refreshMs;
    try {
      keys = await fetchKeys(url);
      loadedAt = performance.now();
      replaced?.();
    } catch (err) {
      pauseMs = retryMs;
      logger.warn({ err }, "the provider's keys cannot be fetched");
    }
    if (!closed) timer = setTimeout(refresh, pauseMs).unref();
  }

  /**
   * @returns the key, or undefined when the provider has none of that id for that algorithm
   * @throws a 503 while no keys have been loaded
   */
  async function find(algorithm: string, keyId: string): Promise<CryptoKey | undefined> {
    const name = `${algorithm} ${keyId}`;
    if (!isUsable()) await fetching;
    if (!isUsable()) throw unavailable(new Error("the provider's keys have not been loaded"));
    const key = keys.get(name);
    if (key) return key;
    if (performance.now() - startedAt >= unknownKeyPauseMs) void refresh();
    await fetching;
    return keys.get(name);
  }

  void refresh();
  return {
    find,
    /** Seconds since the last fetch that succeeded. */
    ageSeconds: () => (performance.now() - loadedAt) / 1_000,
    async check() {
      if (!isUsable()) throw new Error('not loaded');
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
export type KeySet = ReturnType<typeof openKeySet>;
