import type { TokenClaims } from '@lms/contracts/internal/identity';
import { maxLengths } from '@lms/contracts/text';
import { isProblem } from '@lms/service/error-handler';
import { normalizeText, problemOf } from '@lms/service/normalize-text';
import { InvalidToken } from '@lms/service/problems';
import { type CryptoKey, type JWTHeaderParameters, jwtVerify } from 'jose';

export interface Provider {
  issuer: string;
  /** The audience that tokens must have; undefined if there is none. */
  audience: string | undefined;
  findKey: (header: JWTHeaderParameters) => Promise<CryptoKey>;
}

/** The accepted clock difference to the provider. */
const toleranceSeconds = 5;
const algorithms = ['RS256', 'ES256', 'EdDSA'];
const types = [undefined, 'JWT', 'at+jwt'];
const printable = /^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;
const maxEmailLength = 320;

/**
 * Verifies a token of the provider.
 * @returns its claims, and until when it is accepted
 * @throws a 401, or whatever `findKey` throws
 */
export async function verifyToken(token: string, { issuer, audience, findKey }: Provider, now = new Date()) {
  async function getKey(header: JWTHeaderParameters) {
    if (!types.includes(header.typ)) throw new InvalidToken();
    const key = await findKey(header);
    if (hasTrivialExponent(key)) throw new InvalidToken();
    return key;
  }
  if (!token.split('.').every(isCanonical)) throw new InvalidToken();
  const { payload } = await jwtVerify(token, getKey, {
    algorithms,
    issuer,
    requiredClaims: ['exp', 'sub'],
    // Tokens may be of any age, but not of the future.
    maxTokenAge: Number.MAX_SAFE_INTEGER,
    clockTolerance: toleranceSeconds,
    currentDate: now,
  }).catch((cause: unknown) => {
    throw isProblem(cause) ? cause : new InvalidToken({ cause });
  });
  const { sub, iat, exp, aud, azp, email, email_verified, given_name, family_name } = payload;
  const isMeantForUs = audience === undefined || (aud === undefined ? [azp] : [aud].flat()).includes(audience);
  if (!isSubject(sub) || iat === undefined || exp === undefined || !isMeantForUs) throw new InvalidToken();
  const claims: TokenClaims = {
    identityProviderId: sub,
    email: textOf(email, maxEmailLength),
    emailVerified: email_verified === true,
    firstName: textOf(given_name, maxLengths.name),
    lastName: textOf(family_name, maxLengths.name),
    issuedAt: iat,
  };
  return { claims, expiresAtMs: (exp + toleranceSeconds) * 1_000 };
}

// Services trim and normalize texts, after which two subjects must still differ.
const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && printable.test(sub) && problemOf(sub) === undefined && normalizeText(sub) === sub;

const textOf = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value.length <= maxLength && problemOf(value) === undefined ? value : null;

// With the public exponent 1, an RSA signature is the message itself.
function hasTrivialExponent({ algorithm }: CryptoKey): boolean {
  const { publicExponent } = Object(algorithm);
  return publicExponent instanceof Uint8Array && BigInt(`0x${Buffer.from(publicExponent).toString('hex')}`) < 3n;
}

// Several base64url texts decode to the same bytes; only the canonical one is accepted.
const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
