import { InvalidToken, unavailable } from '@lms/service/problems';
import { createRemoteJWKSet, customFetch, type JWTHeaderParameters } from 'jose';

const maxAgeMs = 5 * 60_000;
const cooldownMs = 5_000;
const timeoutMs = 3_000;
const staleMs = 24 * 3_600_000;

/**
 * The provider's keys, with jose's remote key set: fetched every five minutes, and used for a day while the provider is
 * unavailable. Fetches start at least five seconds apart, also those for unknown key ids.
 * @param onFetched called after each fetch that succeeded
 */
export function createKeySet(url: string, onFetched: () => void) {
  let [startedAt, fetchedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const isCoolingDown = () => performance.now() - startedAt < cooldownMs;
  const ageMs = () => performance.now() - fetchedAt;
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: staleMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
    async [customFetch](address, options) {
      // jose's cooldown applies to successful fetches only.
      if (isCoolingDown()) throw new Error('the last fetch is less than five seconds ago');
      startedAt = performance.now();
      const response = await fetch(address, options);
      const fetched = Response.json(await response.json(), { status: response.status });
      if (response.ok) setImmediate(onKeysInUse);
      return fetched;
    },
  });

  // Runs once the fetched keys are in use.
  function onKeysInUse() {
    fetchedAt = performance.now();
    onFetched();
  }

  return {
    ageMs,
    /** Fetches the keys if they are older than five minutes. */
    async refresh() {
      if (ageMs() >= maxAgeMs && !isCoolingDown()) await keys.reload();
    },
    /** @throws a 401 if the provider has no such key for the algorithm, a 503 while no keys are loaded */
    async find(header: JWTHeaderParameters) {
      if (typeof header.kid !== 'string') throw new InvalidToken();
      try {
        return await keys(header);
      } catch (cause) {
        throw keys.fresh ? new InvalidToken({ cause }) : unavailable(cause);
      }
    },
    async check() {
      if (!keys.fresh) throw new Error('not loaded');
    },
  };
}
