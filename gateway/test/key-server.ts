import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '@lms/testing/listen';
import type { Test } from 'tap';

export const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

// One key pair for all servers of a file: generating one takes longer than most tests.
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** Starts a provider that signs any payload, valid or not, and publishes any keys. */
export async function startKeyServer(t: Test) {
  const published: object[] = [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }];
  let fetches = 0;
  let handler: ((response: ServerResponse) => unknown) | undefined;

  const server = createServer((_request, response) => {
    fetches += 1;
    if (handler) return handler(response);
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published }));
  });
  const issuer = await listen(t, server);

  /** A token with any payload and header, signed with the published key by default. */
  function token(payload: unknown, header: Record<string, unknown> = {}, key: KeyObject = privateKey) {
    const input = `${encode({ alg: 'RS256', kid: 'first', ...header })}.${encode(payload)}`;
    return `${input}.${sign(key.asymmetricKeyType === 'rsa' ? 'sha256' : null, Buffer.from(input), key).toString('base64url')}`;
  }

  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    published,
    publicKey,
    fetches: () => fetches,
    /** Sets how requests for the key set are handled; undefined: normally again. */
    respondWith: (next: ((response: ServerResponse) => unknown) | undefined) => {
      handler = next;
    },
    sign: token,
    /** A token that is valid for ten minutes unless the claims say otherwise. */
    token: async (claims: object) => {
      const iat = Math.floor(Date.now() / 1_000);
      return token({ iss: issuer, iat, exp: iat + 600, ...claims });
    },
  };
}
