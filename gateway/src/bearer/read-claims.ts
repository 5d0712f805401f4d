import type { TokenClaims } from '@lms/contracts/internal/identity';
import { maxLengths } from '@lms/contracts/text';
import type { JWTPayload } from 'jose';

const printable = /^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;
const longestEmail = 320;

/**
 * What a verified token says of its bearer; undefined when it is not for us or says nothing usable.
 * @param latestIssue the latest `iat` accepted, in Unix seconds
 */
export function readClaims(
  payload: JWTPayload,
  audience: string | undefined,
  latestIssue: number,
): TokenClaims | undefined {
  const { sub, iat, exp, email, email_verified: emailVerified, given_name: first, family_name: last } = payload;
  if (!Number.isFinite(exp) || typeof iat !== 'number' || !(iat <= latestIssue)) return undefined;
  if (typeof sub !== 'string' || !isSubject(sub) || !isMeantFor(payload, audience)) return undefined;
  return {
    identityProviderId: sub,
    email: textOf(email, longestEmail),
    emailVerified: emailVerified === true,
    firstName: textOf(first, maxLengths.name),
    lastName: textOf(last, maxLengths.name),
  };
}

// Services trim texts and bring them to NFC, after which two subjects must not look like one.
const isSubject = (sub: string) => sub.length <= 255 && printable.test(sub) && sub.trim().normalize('NFC') === sub;

function isMeantFor({ aud, azp }: JWTPayload, audience: string | undefined): boolean {
  if (audience === undefined) return true;
  if (aud === undefined) return azp === audience;
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}

const textOf = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value.length <= maxLength && value.isWellFormed() && !value.includes('\0')
    ? value
    : null;
