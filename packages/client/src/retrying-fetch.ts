export interface RetryOptions {
  /** How often a request that met a limit (429) or an outage (503) is sent again; 3 unless given. */
  retries?: number;
  /** The longest wait in seconds that is worth it; a longer `Retry-After` is handed to the caller. 60 unless given. */
  maxWaitSeconds?: number;
  fetch?: (request: Request) => Promise<Response>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request again after the seconds that `Retry-After` names. A body is kept for that, so it must be repeatable. */
export function createRetryingFetch({
  retries = 3,
  maxWaitSeconds: longestWaitSeconds = 60,
  fetch = globalThis.fetch,
}: RetryOptions = {}) {
  return async (request: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries;
      const response = await fetch(isLast ? request : request.clone());
      const seconds = waitOf(response, request);
      if (isLast || seconds === undefined || seconds > longestWaitSeconds) return response;
      await response.body?.cancel();
      await pause(seconds * 1_000);
    }
  };
}

/** A limit is met before anything is done; after an outage only what changes nothing is safe to send again. */
function waitOf({ status, headers }: Response, { method, headers: sent }: Request): number | undefined {
  const isRepeatable = method !== 'POST' || sent.has('idempotency-key');
  if (status !== 429 && !(status === 503 && isRepeatable)) return undefined;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
