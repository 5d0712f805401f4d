import type { TokenClaims } from '@lms/contracts/internal/identity';
import { InvalidToken } from '@lms/service/problems';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Options } from '../options.ts';
import { readClaims, toleranceSeconds } from '../tokens/claims.ts';
import { createKeySet } from '../tokens/key-set.ts';
import { verifySignature } from '../tokens/signature.ts';

declare module 'fastify' {
  interface FastifyInstance {
    tokens: {
      /** The cached claims of a token that was verified within the last 30 seconds. */
      getCached: (token: string) => TokenClaims | undefined;
      /** @throws a 401 for an invalid token, a 503 while no keys are loaded */
      verify: (token: string) => Promise<TokenClaims>;
      check: () => Promise<void>;
    };
  }
}

const cachedMs = 30_000;
const maxCachedCharacters = 32 * 1_024 * 1_024;

/** Verifies the identity provider's tokens, and caches valid ones. */
export const tokens = fp(async (app, { config, registry }: Options) => {
  const verified = new LRUCache<string, TokenClaims>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (_claims, token) => token.length,
  });
  const expected = { issuer: config.IDP_ISSUER, audience: config.IDP_AUDIENCE };
  // After each fetch of the keys all tokens are verified again: a key may have been removed.
  const onFetched = () => verified.clear();
  const keySet = createKeySet({ url: config.IDP_JWKS_URL, logger: app.log, registry, onFetched });
  app.addHook('onClose', async () => keySet.close());

  app.decorate('tokens', {
    getCached: (token) => verified.get(token),
    async verify(token) {
      const payload = await verifySignature(token, keySet.find);
      const read = readClaims(payload, expected, Date.now() / 1_000);
      if (!read) throw new InvalidToken();
      const leftMs = Math.floor((read.expiresAt + toleranceSeconds) * 1_000 - Date.now());
      if (leftMs > 0) verified.set(token, read.claims, { ttl: Math.min(leftMs, cachedMs) });
      return read.claims;
    },
    check: keySet.check,
  });
});
