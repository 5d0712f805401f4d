import { generateKeyPairSync, sign } from 'node:crypto';
import { type Principal, passportAudience, passportHeader, passportIssuer, type Role } from '@lms/contracts/passport';
import { createId } from '@paralleldrive/cuid2';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** The public half of the key that signs this process's test passports. */
export const testPassportKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Somebody with the given roles; everything else may be set. */
export function testPrincipal(roles: Role[] = ['LEARNER'], given: Partial<Principal> = {}): Principal {
  const userId = createId();
  return {
    userId,
    identityProviderId: `idp_${userId}`,
    email: `${userId}@lms.test`,
    emailVerified: true,
    firstName: 'First',
    lastName: 'Last',
    roles,
    status: 'ACTIVE',
    plan: 'FREE',
    ...given,
  };
}

export interface PassportOverrides {
  /** Seconds since it was signed. */
  age?: number;
  claims?: Record<string, unknown>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The header that tells a service who is calling; `null` stands for the gateway itself. */
export function passportHeaders(
  principal: Principal | null,
  { age = 0, claims = {} }: PassportOverrides = {},
): Record<string, string> {
  const iat = Math.floor(Date.now() / 1_000) - age;
  const payload = {
    iss: passportIssuer,
    aud: passportAudience,
    sub: principal?.userId ?? passportIssuer,
    iat,
    exp: iat + 60,
    requestId: createId(),
    principal,
    ...claims,
  };
  const unsigned = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(payload)}`;
  return { [passportHeader]: `${unsigned}.${sign(null, Buffer.from(unsigned), privateKey).toString('base64url')}` };
}
