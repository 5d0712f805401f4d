import type { TokenClaims } from '@lms/contracts/internal/identity';
import { collectGauge } from '@lms/telemetry/metrics';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Options } from '../options.ts';
import { createKeySet } from '../tokens/key-set.ts';
import { verifyToken } from '../tokens/verify-token.ts';

declare module 'fastify' {
  interface FastifyInstance {
    tokens: ReturnType<typeof createTokens>;
  }
}

const refreshMs = 1_000;
const cachedMs = 30_000;
const maxCachedCharacters = 32 * 1_024 * 1_024;
const age = { name: 'gateway_jwks_age_seconds', help: "Since the provider's keys were last fetched" };

/** Verifies the identity provider's tokens, and caches valid ones. */
export const tokens = fp(async (app, options: Options) => {
  app.decorate('tokens', createTokens(app, options));
});

function createTokens(app: FastifyInstance, { config, registry }: Options) {
  const verified = new LRUCache<string, { claims: TokenClaims; expiresAtMs: number }>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (_verified, token) => token.length,
    ttl: cachedMs,
  });
  // After each fetch of the keys all tokens are verified again: a key may have been removed.
  const { ageMs, refresh, find: findKey, check } = createKeySet(config.IDP_JWKS_URL, () => verified.clear());
  const provider = { issuer: config.IDP_ISSUER, audience: config.IDP_AUDIENCE, findKey };
  collectGauge(registry, age, () => ageMs() / 1_000);

  const keepFresh = () =>
    refresh().catch((err: unknown) => app.log.warn({ err }, "The provider's keys cannot be fetched"));
  void keepFresh();
  const timer = setInterval(keepFresh, refreshMs);
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
    check,
  };
}
