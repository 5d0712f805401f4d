import { hash } from 'node:crypto';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import { InvalidToken } from '@lms/service/problems';
import { LRUCache } from 'lru-cache';
import type { KeySet } from './key-set.ts';
import { openSignature } from './open-signature.ts';
import { type Audience, readClaims, toleranceSeconds } from './read-claims.ts';

export interface VerifierOptions extends Audience {
  keys: Pick<KeySet, 'find'>;
}

const rememberedMs = 30_000;
const rememberedTokens = 20_000;

/** Verifies bearer tokens, and remembers by their hash those that were good. */
export function createVerifier({ keys, issuer, audience }: VerifierOptions) {
  const remembered = new LRUCache<string, TokenClaims>({ max: rememberedTokens });

  return {
    /** What a token said that was found good within the last 30 seconds. */
    recall: (token: string) => remembered.get(nameOf(token)),
    /**
     * @throws a 401 for anything but a good token, a 503 while there are no keys to judge it by
     */
    async verify(token: string): Promise<TokenClaims> {
      const payload = await openSignature(token, async ({ alg, kid }) =>
        typeof kid === 'string' ? keys.find(String(alg), kid) : undefined,
      );
      const read = readClaims(payload, { issuer, audience }, Date.now() / 1_000);
      if (!read) throw new InvalidToken();
      const leftMs = Math.floor((read.expiresAt + toleranceSeconds) * 1_000 - Date.now());
      if (leftMs > 0) remembered.set(nameOf(token), read.claims, { ttl: Math.min(leftMs, rememberedMs) });
      return read.claims;
    },
    /** After the provider's keys were fetched again, everything is judged anew. */
    forget: () => remembered.clear(),
  };
}
export type Verifier = ReturnType<typeof createVerifier>;

const nameOf = (token: string) => hash('sha256', token, 'base64');
