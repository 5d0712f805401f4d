import { createLocalJWKSet, jwtVerify } from 'jose';
import type { Account } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { resource } from './client.ts';

/** The account of an access token, if the token is valid and the account still exists. */
export async function findBearer(store: Store, issuer: string, authorization = ''): Promise<Account | undefined> {
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(authorization) ?? [];
  if (!token) return undefined;
  const { keys, accounts } = store.read();
  const published = keys.map(({ kid, kty, alg, n, e }) => ({ kid, kty, alg, n, e }));
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: published }), {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer,
      audience: resource.audience,
      requiredClaims: ['exp', 'sub'],
    });
    return accounts.find(({ id }) => id === payload.sub);
  } catch {
    return undefined;
  }
}
