import { createServer } from 'node:http';
import { listen } from '@lms/testing/listen';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Test } from 'tap';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

// A guide has one algorithm, and new RSA keys for each test took a third of the processor time.
const pairs = new Map<string, Promise<KeyPair>>();
function findKeyPair(alg: string): Promise<KeyPair> {
  const pair = pairs.get(alg) ?? generateKeyPair(alg, { extractable: true });
  pairs.set(alg, pair);
  return pair;
}

/** Serves the provider's keys, and signs tokens with the headers and claims of a guide. */
export async function startKeyServer(t: Test, header: Record<string, unknown>) {
  const { alg, kid, ...rest } = header;
  const { privateKey, publicKey } = await findKeyPair(String(alg));
  // Providers also publish keys for encryption.
  const other = await exportJWK((await findKeyPair('RSA-OAEP')).publicKey);
  const keys = [
    { ...other, kid: 'for-encryption', use: 'enc', alg: 'RSA-OAEP' },
    { ...(await exportJWK(publicKey)), kid, use: 'sig', alg },
  ];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
  });
  const url = await listen(t, server);
  return {
    jwksUrl: `${url}/keys`,
    /** Valid for a minute from now. */
    async token(claims: Record<string, unknown>): Promise<string> {
      const now = Math.floor(Date.now() / 1_000);
      return new SignJWT({ ...claims, iat: now, exp: now + 60 })
        .setProtectedHeader({ ...rest, alg: String(alg), kid: String(kid) })
        .sign(privateKey);
    },
  };
}
