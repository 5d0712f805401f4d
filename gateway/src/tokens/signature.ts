import { InvalidToken } from '@lms/service/problems';
import { type CryptoKey, compactVerify, type JWSHeaderParameters } from 'jose';

const algorithms = ['RS256', 'ES256', 'EdDSA'];
const types = [undefined, 'JWT', 'at+jwt'];
type FindKey = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/**
 * Verifies a compact JWS and returns its payload.
 * @throws a 401, or whatever `findKey` throws
 */
export async function verifySignature(token: string, findKey: FindKey): Promise<Uint8Array> {
  if (!token.split('.').every(isCanonical)) throw new InvalidToken();
  let failure: unknown;
  const keyOf: FindKey = async (header) => {
    if (header.crit !== undefined || header.b64 !== undefined || !types.includes(header.typ)) throw new InvalidToken();
    const key = await findKey(header).catch((error: unknown) => {
      failure = error;
      throw error;
    });
    if (hasTrivialExponent(key)) throw new InvalidToken();
    return key;
  };
  try {
    return (await compactVerify(token, keyOf, { algorithms })).payload;
  } catch (cause) {
    throw failure ?? new InvalidToken({ cause });
  }
}

// With the public exponent 1, an RSA signature is the message itself.
function hasTrivialExponent({ algorithm }: CryptoKey): boolean {
  const { publicExponent } = Object(algorithm);
  return publicExponent instanceof Uint8Array && BigInt(`0x${Buffer.from(publicExponent).toString('hex')}`) < 3n;
}

// Several base64url texts decode to the same bytes; only the canonical one is accepted.
const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
