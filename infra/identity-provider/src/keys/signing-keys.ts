import { Value } from '@sinclair/typebox/value';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { HttpError, notFound } from '../errors.ts';
import { SigningKey } from '../state/state.ts';
import type { Store } from '../state/store.ts';

export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return Value.Parse(SigningKey, { ...jwk, alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(jwk) });
}

/** Adds a key that signs new tokens; the older keys stay published. Resolves with the new kid. */
export async function rotateKeys(store: Store): Promise<string> {
  const key = await createSigningKey();
  return store.update((state) => [{ ...state, keys: [key, ...state.keys] }, key.kid]);
}

/** Removes a key, which is then no longer published. */
export function removeKey(store: Store, kid: string): Promise<void> {
  return store.update((state) => {
    const keys = state.keys.filter((key) => key.kid !== kid);
    if (keys.length === state.keys.length) throw notFound('No such key');
    if (keys.length === 0) throw new HttpError(409, 'last_key', 'The only key cannot be removed; rotate first');
    return [{ ...state, keys }, undefined];
  });
}
