import { type CryptoKey, importJWK, type JWK } from 'jose';

const shortestModulus = 2_048 / 8;

/**
 * The keys of a JSON Web Key Set that can verify signatures, by `<algorithm> <key id>`. Keys for other uses, weak ones
 * and those that cannot be read are left out: one bad entry must not take the others along.
 * @throws when it is no key set at all
 */
export async function readKeys(text: string): Promise<Map<string, CryptoKey>> {
  const published: unknown = Object(JSON.parse(text)).keys;
  if (!Array.isArray(published)) throw new Error('the key set holds no list of keys');
  const keys = new Map<string, CryptoKey>();
  const doubled = new Set<string>();
  for (const jwk of published) {
    const algorithm = algorithmOf(jwk);
    if (algorithm === undefined || typeof jwk.kid !== 'string') continue;
    const key = await importPublic(jwk, algorithm);
    const name = `${algorithm} ${jwk.kid}`;
    if (key && keys.has(name)) doubled.add(name);
    if (key) keys.set(name, key);
  }
  // Of two keys under one name nobody can say which is meant.
  for (const name of doubled) keys.delete(name);
  return keys;
}

/** The one algorithm that a key is good for here. */
function algorithmOf(jwk: unknown): string | undefined {
  const { kty, crv, n, e, use, key_ops: operations, alg, d } = Object(jwk);
  if (d !== undefined || (use !== undefined && use !== 'sig')) return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  const algorithm =
    kty === 'RSA' && isStrong(n, e)
      ? 'RS256'
      : kty === 'EC' && crv === 'P-256'
        ? 'ES256'
        : kty === 'OKP' && crv === 'Ed25519'
          ? 'EdDSA'
          : undefined;
  const named = alg === 'Ed25519' ? 'EdDSA' : alg;
  return named === undefined || named === algorithm ? algorithm : undefined;
}

// With an exponent of one a signature is the message itself.
const isStrong = (n: unknown, e: unknown) =>
  typeof n === 'string' &&
  typeof e === 'string' &&
  Buffer.from(n, 'base64url').length >= shortestModulus &&
  BigInt(`0x0${Buffer.from(e, 'base64url').toString('hex')}`) > 2n;

async function importPublic({ kty, n, e, crv, x, y }: JWK, algorithm: string): Promise<CryptoKey | undefined> {
  const members = Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined);
  const key = await importJWK(Object.fromEntries(members), algorithm).catch(() => undefined);
  return key instanceof Uint8Array ? undefined : key;
}
