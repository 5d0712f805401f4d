import { InvalidToken } from '@lms/service/problems';
import { type CompactJWSHeaderParameters, type CryptoKey, compactVerify } from 'jose';

/** Finds the key that a token's header speaks of; undefined when there is none. */
export type KeyFor = (header: CompactJWSHeaderParameters) => Promise<CryptoKey | undefined>;

const algorithms = ['RS256', 'ES256', 'EdDSA'];
const types = [undefined, 'JWT', 'at+jwt'];

/**
 * The payload of a compact JWS, once its signature is found good.
 * @throws a 401, or whatever `keyFor` throws
 */
export async function openSignature(token: string, keyFor: KeyFor): Promise<Uint8Array> {
  if (!token.split('.').every(isCanonical)) throw new InvalidToken();
  let failure: unknown;
  const find = async (header: CompactJWSHeaderParameters) => {
    if (header.crit !== undefined || header.b64 !== undefined || !types.includes(header.typ)) throw new InvalidToken();
    const key = await keyFor(header).catch((error: unknown) => {
      failure = error;
      throw error;
    });
    if (!key) throw new InvalidToken();
    return key;
  };
  try {
    const { payload } = await compactVerify(token, find, { algorithms });
    return payload;
  } catch (cause) {
    throw failure ?? new InvalidToken({ cause });
  }
}

// Base64url has spellings that decode alike; only the one an encoder would have made is taken.
const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
