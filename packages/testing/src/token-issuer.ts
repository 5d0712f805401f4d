import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Test } from 'tap';
import { listen } from './listen.ts';

export interface TokenClaims extends JWTPayload {
  email?: string;
  email_verified?: boolean;
}

// All issuers of a process share their first key, because a new RSA key takes 100 ms of CPU time.
let firstKey: ReturnType<typeof generateKeyPair> | undefined;

/** Starts an HTTP server with a JWKS, and issues tokens signed with its keys. */
export async function startTokenIssuer(t: Test) {
  const keys = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>();
  let fetches = 0;
  let broken = false;

  const server = createServer(async (_request, response) => {
    fetches += 1;
    if (broken) return response.writeHead(503).end();
    const jwks = await Promise.all(
      [...keys].map(async ([kid, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid, use: 'sig' })),
    );
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: jwks }));
  });
  const issuer = await listen(t, server);

  async function addKey(kid: string, alg = 'RS256') {
    keys.set(kid, await generateKeyPair(alg, { extractable: true }));
  }
  firstKey ??= generateKeyPair('RS256', { extractable: true });
  keys.set('first', await firstKey);

  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    fetches: () => fetches,
    addKey,
    removeKey: (kid: string) => keys.delete(kid),
    setBroken: (value: boolean) => {
      broken = value;
    },
    /** Issues a token that is valid for an hour, unless the claims override that. */
    async token(claims: TokenClaims, header: { kid?: string; alg?: string } = {}) {
      const { kid = 'first', alg = 'RS256' } = header;
      const pair = keys.get(kid);
      if (!pair) throw new Error(`no key ${kid}`);
      const now = Math.floor(Date.now() / 1_000);
      return new SignJWT({ iss: issuer, iat: now, exp: now + 3_600, ...claims })
        .setProtectedHeader({ alg, kid })
        .sign(pair.privateKey);
    },
  };
}
