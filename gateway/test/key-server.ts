import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '@lms/testing/listen';
import type { Test } from 'tap';

export const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

// One pair for all servers of a file: making one takes longer than most tests.
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** A provider that signs whatever it is asked to, well-formed or not, and publishes whatever keys it is given. */
export async function startKeyServer(t: Test) {
  const published: object[] = [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }];
  let fetches = 0;
  let respondWith: ((response: ServerResponse) => unknown) | undefined;

  const server = createServer((_request, response) => {
    fetches += 1;
    if (respondWith) return respondWith(response);
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published }));
  });
  const issuer = await listen(t, server);

  /** A token over any payload, with any header, signed by the published key unless another is given. */
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
    /** From now on the key set is answered like this; undefined: as it should be. */
    respondWith: (how: ((response: ServerResponse) => unknown) | undefined) => {
      respondWith = how;
    },
    sign: token,
    /** A token for somebody, good for ten minutes unless the claims say otherwise. */
    token: async (claims: object) => {
      const iat = Math.floor(Date.now() / 1_000);
      return token({ iss: issuer, iat, exp: iat + 600, ...claims });
    },
  };
}
