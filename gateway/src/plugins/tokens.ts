import type { TokenClaims } from '@lms/contracts/internal/identity';
import { InvalidToken, unavailable } from '@lms/service/problems';
import { collectGauge } from '@lms/telemetry/metrics';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { createRemoteJWKSet, customFetch, type JWTHeaderParameters } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Options } from '../config.ts';
import { verifyToken } from '../tokens/verify-token.ts';

const checkIntervalMs = 1_000;
const keysMaxAgeMs = 5 * 60_000;
const keysStaleMs = 24 * 3_600_000;
const cooldownMs = 5_000;
const fetchMs = 3_000;
const cachedMs = 30_000;
const maxCachedCharacters = 32 * 1_024 * 1_024;
const age = { name: 'gateway_jwks_age_seconds', help: "Since the provider's keys were last fetched" };

/** Verifies the identity provider's tokens, and caches valid ones. */
export const tokens = fp(async (app, options: Options) => {
  app.decorate('tokens', createTokens(app, options));
});
export type Tokens = ReturnType<typeof createTokens>;

function createTokens(app: FastifyInstance, { config, registry }: Options) {
  const verified = new LRUCache<string, { claims: TokenClaims; expiresAtMs: number }>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (_verified, token) => token.length,
    ttl: cachedMs,
  });
  // After each fetch of the keys all tokens are verified again: a key may have been removed.
  const keySet = createKeySet(config.IDP_JWKS_URL, () => verified.clear());
  const provider = { issuer: config.IDP_ISSUER, audience: config.IDP_AUDIENCE, findKey: keySet.find };
  collectGauge(registry, age, () => keySet.ageMs() / 1_000);

  const refresh = () =>
    keySet.refresh().catch((err: unknown) => app.log.warn({ err }, "The provider's keys cannot be fetched"));
  void refresh();
  const timer = setInterval(refresh, checkIntervalMs);
  app.addHook('onClose', async () => clearInterval(timer));

  return {
    /** The cached claims of a token that was verified within the last 30 seconds. */
    getCached(token: string) {
      const known = verified.get(token);
      return known && known.expiresAtMs > Date.now() ? known.claims : undefined;
    },
    /** @throws a 401 for an invalid token, a 503 while no keys are loaded */
    async verify(token: string) {
      const { claims, expiresAtMs } = await verifyToken(token, provider);
      verified.set(token, { claims, expiresAtMs });
      return claims;
    },
    check: keySet.check,
  };
}

/**
 * The provider's keys, with jose's remote key set: fetched every five minutes, and used for a day while the provider is
 * unavailable. Fetches start at least five seconds apart, also those for unknown key ids.
 * @param onFetched called when fetched keys are in use
 */
function createKeySet(url: string, onFetched: () => void) {
  let [startedAt, fetchedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const isCoolingDown = () => performance.now() - startedAt < cooldownMs;
  const ageMs = () => performance.now() - fetchedAt;
  const keys = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: keysStaleMs,
    cooldownDuration: cooldownMs,
    timeoutDuration: fetchMs,
    async [customFetch](address, options) {
      // jose's cooldown applies to successful fetches only.
      if (isCoolingDown()) throw new Error('the last fetch is less than five seconds ago');
      startedAt = performance.now();
      const response = await fetch(address, options);
      const fetched = Response.json(await response.json(), { status: response.status });
      if (response.ok)
        setImmediate(() => {
          fetchedAt = performance.now();
          onFetched();
        });
      return fetched;
    },
  });

  return {
    ageMs,
    /** Fetches the keys if they are older than five minutes. */
    async refresh() {
      if (ageMs() >= keysMaxAgeMs && !isCoolingDown()) await keys.reload();
    },
    /** @throws a 401 if the provider has no such key for the algorithm, a 503 while no keys are loaded */
    async find(header: JWTHeaderParameters) {
      if (typeof header.kid !== 'string') throw new InvalidToken();
      return keys(header).catch((cause: unknown) => {
        throw keys.fresh ? new InvalidToken({ cause }) : unavailable(cause);
      });
    },
    async check() {
      if (!keys.fresh) throw new Error('not loaded');
    },
  };
}
