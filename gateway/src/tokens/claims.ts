import type { TokenClaims } from '@lms/contracts/internal/identity';
import { maxLengths } from '@lms/contracts/text';

/** The accepted clock difference to the provider. */
export const toleranceSeconds = 5;

const printable = /^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;
const utf8 = new TextDecoder('utf-8', { fatal: true });
const maxEmailLength = 320;

/**
 * The claims of a verified payload; undefined if it has expired, has another audience, or lacks a valid claim.
 * @param now Unix seconds
 */
export function readClaims(
  payload: Uint8Array,
  { issuer, audience }: { issuer: string; audience: string | undefined },
  now: number,
) {
  const { iss, sub, iat, nbf, exp, aud, azp, ...profile } = parse(payload);
  if (iss !== issuer || !isSubject(sub) || !isMeantFor(audience, aud, azp)) return undefined;
  if (!isTime(exp) || exp <= now - toleranceSeconds) return undefined;
  if (!isTime(iat) || iat > now + toleranceSeconds) return undefined;
  if (nbf !== undefined && (!isTime(nbf) || nbf > now + toleranceSeconds)) return undefined;
  const claims: TokenClaims = {
    identityProviderId: sub,
    email: textOf(profile.email, maxEmailLength),
    emailVerified: profile.email_verified === true,
    firstName: textOf(profile.given_name, maxLengths.name),
    lastName: textOf(profile.family_name, maxLengths.name),
    issuedAt: iat,
  };
  return { expiresAt: exp, claims };
}

function parse(payload: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(utf8.decode(payload)));
  } catch {
    return {};
  }
}

const isTime = (value: unknown): value is number => Number.isFinite(value);

// Services trim and normalize texts, after which two subjects must still differ.
const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub.length <= 255 && printable.test(sub) && sub.trim().normalize('NFC') === sub;

function isMeantFor(audience: string | undefined, aud: unknown, azp: unknown): boolean {
  if (audience === undefined) return true;
  if (aud === undefined) return azp === audience;
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}

const textOf = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value.length <= maxLength && value.isWellFormed() && !value.includes('\0')
    ? value
    : null;
