import { InvalidToken, unavailable } from '@lms/service/problems';
import { collectGauge } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyBaseLogger } from 'fastify';
import { type CryptoKey, createRemoteJWKSet, customFetch, type JWSHeaderParameters } from 'jose';

interface KeySetOptions {
  url: string;
  logger: FastifyBaseLogger;
  registry: Registry;
  /** Called after every fetch that succeeded. */
  onFetched: () => void;
}

const refreshMs = 5 * 60_000;
const cooldownMs = 5_000;
const timeoutMs = 3_000;
const staleMs = 24 * 3_600_000;
const age = { name: 'gateway_jwks_age_seconds', help: "Since the provider's keys were last fetched" };

/**
 * The provider's keys, with jose's remote key set: fetched every five minutes, and used for a day while the provider is
 * unavailable. An unknown key id causes at most one fetch in five seconds, whether it succeeds or not.
 */
export function createKeySet({ url, logger, registry, onFetched }: KeySetOptions) {
  let [startedAt, fetchedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [timer, isClosed]: [NodeJS.Timeout | undefined, boolean] = [undefined, false];
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: staleMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
    async [customFetch](address, options) {
      // jose's cooldown applies to successful fetches only.
      if (performance.now() - startedAt < cooldownMs) throw new Error('the last fetch is less than five seconds ago');
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

  async function refresh() {
    startedAt = Number.NEGATIVE_INFINITY;
    let pauseMs = refreshMs;
    await keys.reload().catch((err: unknown) => {
      pauseMs = cooldownMs;
      logger.warn({ err }, "The provider's keys cannot be fetched");
    });
    if (isClosed) return;
    timer = setTimeout(refresh, pauseMs).unref();
  }
  void refresh();
  collectGauge(registry, age, () => (performance.now() - fetchedAt) / 1_000);

  return {
    /**
     * The key for a token's header.
     * @throws a 401 if the provider has no such key for the algorithm, a 503 while no keys are loaded
     */
    async find(header: JWSHeaderParameters): Promise<CryptoKey> {
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
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
