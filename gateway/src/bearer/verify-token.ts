import { hash } from 'node:crypto';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import { isProblem } from '@lms/server/error-handler';
import { InvalidToken } from '@lms/server/problems';
import { type CompactJWSHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { KeySet } from './key-set.ts';
import { readClaims } from './read-claims.ts';

export interface VerifierOptions {
  keys: Pick<KeySet, 'find'>;
  issuer: string;
  /** When given, tokens must be meant for it. */
  audience: string | undefined;
}

const algorithms = ['RS256', 'ES256', 'EdDSA'];
const types = [undefined, 'JWT', 'at+jwt'];
const toleranceSeconds = 5;
const rememberedMs = 30_000;
const rememberedTokens = 20_000;

/** Verifies bearer tokens, and remembers by their hash those that were good. */
export function createVerifier({ keys, issuer, audience }: VerifierOptions) {
  const remembered = new LRUCache<string, TokenClaims>({ max: rememberedTokens });

  async function keyOf({ alg, kid, typ, crit }: CompactJWSHeaderParameters) {
    if (typeof kid !== 'string' || crit !== undefined || !types.includes(typ)) throw new InvalidToken();
    const key = await keys.find(String(alg), kid);
    if (!key) throw new InvalidToken();
    return key;
  }

  async function open(token: string): Promise<JWTPayload> {
    if (!token.split('.').every(isCanonical)) throw new InvalidToken();
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms,
        issuer,
        clockTolerance: toleranceSeconds,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return payload;
    } catch (cause) {
      throw isProblem(cause) ? cause : new InvalidToken({ cause });
    }
  }

  return {
    /** What a token said that was found good within the last 30 seconds. */
    recall: (token: string) => remembered.get(nameOf(token)),
    /**
     * @throws a 401 for anything but a good token, a 503 while there are no keys to judge it by
     */
    async verify(token: string): Promise<TokenClaims> {
      const payload = await open(token);
      const claims = readClaims(payload, audience, Date.now() / 1_000 + toleranceSeconds);
      if (!claims) throw new InvalidToken();
      const leftMs = (Number(payload.exp) + toleranceSeconds) * 1_000 - Date.now();
      if (leftMs > 1) remembered.set(nameOf(token), claims, { ttl: Math.min(leftMs, rememberedMs) });
      return claims;
    },
    /** After the provider's keys were fetched again, everything is judged anew. */
    forget: () => remembered.clear(),
  };
}
export type Verifier = ReturnType<typeof createVerifier>;

const nameOf = (token: string) => hash('sha256', token, 'base64');

// Base64url has spellings that decode alike; only the one an encoder would have made is taken.
const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
