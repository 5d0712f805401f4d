export interface RetryOptions {
  /** The maximum number of retries after a 429 or 503; 3 by default. */
  retries?: number;
  /** With a longer `Retry-After`, the response is returned instead of retried; 60 by default. */
  maxWaitSeconds?: number;
  fetch?: (request: Request) => Promise<Response>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates a fetch that retries after `Retry-After`. Bodies are buffered for that. */
export function createRetryingFetch({
  retries = 3,
  maxWaitSeconds: longestWaitSeconds = 60,
  fetch = globalThis.fetch,
}: RetryOptions = {}) {
  return async (request: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries;
      const response = await fetch(isLast ? request : request.clone());
      const seconds = retryDelaySeconds(response, request);
      if (isLast || seconds === undefined || seconds > longestWaitSeconds) return response;
      await response.body?.cancel();
      await pause(seconds * 1_000);
    }
  };
}

/** A 429 had no effect, so every request can be retried. After a 503, only idempotent requests can. */
function retryDelaySeconds({ status, headers }: Response, { method, headers: sent }: Request): number | undefined {
  const isIdempotent = method !== 'POST' || sent.has('idempotency-key');
  if (status !== 429 && !(status === 503 && isIdempotent)) return undefined;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
