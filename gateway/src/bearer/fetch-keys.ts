import { type CryptoKey, importJWK, type JWK } from 'jose';
import { request } from 'undici';

const timeoutMs = 3_000;
const maxBytes = 512 * 1_024;
const shortestModulus = 2_048 / 8;

/**
 * Fetches a JSON Web Key Set; redirects are not followed.
 * @returns the keys that can verify signatures, by `<algorithm> <key id>`
 */
export async function fetchKeys(url: string): Promise<Map<string, CryptoKey>> {
  const { statusCode, body } = await request(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await readText(body);
  if (statusCode !== 200) throw new Error(`the key set answered ${statusCode}`);
  const published: unknown = JSON.parse(text).keys;
  if (!Array.isArray(published)) throw new Error('the key set holds no list of keys');
  const keys = new Map<string, CryptoKey>();
  for (const jwk of published) {
    const algorithm = algorithmOf(jwk);
    if (algorithm === undefined) continue;
    const key = await importPublic(jwk, algorithm);
    if (key && !keys.has(`${algorithm} ${jwk.kid}`)) keys.set(`${algorithm} ${jwk.kid}`, key);
  }
  return keys;
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the key set is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The one algorithm that a key is good for here; undefined for keys of other kinds and other uses. */
function algorithmOf(jwk: unknown): string | undefined {
  const { kty, crv, n, kid, use, key_ops: operations, alg, d } = Object(jwk);
  if (typeof kid !== 'string' || d !== undefined) return undefined;
  if (use !== undefined && use !== 'sig') return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  const algorithm =
    kty === 'RSA' && typeof n === 'string' && Buffer.from(n, 'base64url').length >= shortestModulus
      ? 'RS256'
      : kty === 'EC' && crv === 'P-256'
        ? 'ES256'
        : kty === 'OKP' && crv === 'Ed25519'
          ? 'EdDSA'
          : undefined;
  const named = alg === 'Ed25519' ? 'EdDSA' : alg;
  return named === undefined || named === algorithm ? algorithm : undefined;
}

// A key that cannot be read is left out: one bad entry must not take the others along.
async function importPublic({ kty, n, e, crv, x, y }: JWK, algorithm: string): Promise<CryptoKey | undefined> {
  const members = Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined);
  const key = await importJWK(Object.fromEntries(members), algorithm).catch(() => undefined);
  return key instanceof Uint8Array ? undefined : key;
}
