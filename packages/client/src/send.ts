import { retryAfterSeconds, toFailure } from './failures.ts';

export interface Wait {
  /** How long the client waits before it repeats the request. */
  seconds: number;
  /** 429 or 503. */
  status: number;
  /** 1 for the first repetition. */
  attempt: number;
}

export interface SendOptions {
  /**
   * Returns the access token for a request; without one the request is anonymous. After a 401 it is called once more with
   * `forceRefresh`, and the request is repeated if it returns another token.
   */
  token?: (options: { forceRefresh: boolean }) => string | undefined | Promise<string | undefined>;
  /** How many times a request is repeated after a 429 or 503; 3 by default. */
  retries?: number;
  /** If the server asks for a longer wait, its response is returned instead; 5 by default. */
  maxWaitSeconds?: number;
  /** Called before each wait, so that an app can show it. */
  onWait?: (wait: Wait) => void;
}

interface Attempts {
  /** Whether the request can be repeated if it may have had its effect. */
  isRepeatable: boolean;
  signal?: AbortSignal | undefined;
}

export type Send = (attempt: (token: string | undefined) => Promise<Response>, attempts: Attempts) => Promise<Response>;

/** Sends requests with a token, renews it after a 401, and waits for `Retry-After`. */
export function createSend({ token, retries = 3, maxWaitSeconds = 5, onWait }: SendOptions): Send {
  let renewal: Promise<string | undefined> | undefined;

  // Requests that are rejected at the same time share one renewal.
  async function renew(rejected: string) {
    const latest = await token?.({ forceRefresh: false });
    if (latest !== rejected) return latest;
    renewal ??= Promise.resolve(token?.({ forceRefresh: true })).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  return async (attempt, { isRepeatable, signal }) => {
    const first = await token?.({ forceRefresh: false });
    let current = first;
    for (let count = 1; ; ) {
      const response = await attempt(current);
      if (response.status === 401 && current && current === first) {
        current = await renew(current);
        if (!current || current === first) return toFailure(response);
        await response.body?.cancel();
        continue;
      }
      const seconds = waitAfter(response, isRepeatable);
      if (count > retries || seconds === undefined || seconds > maxWaitSeconds) return toFailure(response);
      await response.body?.cancel();
      onWait?.({ seconds, status: response.status, attempt: count });
      await pause(seconds * 1_000, signal);
      count += 1;
    }
  };
}

/** A 429 had no effect, so every request can be repeated; after a 503 only those that are safe to repeat. */
function waitAfter(response: Response, isRepeatable: boolean): number | undefined {
  const { status } = response;
  return status === 429 || (status === 503 && isRepeatable) ? retryAfterSeconds(response) : undefined;
}

export const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
  });
