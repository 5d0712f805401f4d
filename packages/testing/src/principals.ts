import { generateKeyPairSync, sign } from 'node:crypto';
import { type Principal, passportAudience, passportHeader, passportIssuer, type Role } from '@lms/contracts/passport';
import { createId } from '@paralleldrive/cuid2';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** The public key for the passports of `passportHeaders`. */
export const testPassportKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** The secret of `createServiceTokens` in tests. */
export const testServiceSecret = 'a secret of at least 32 characters';

/** A principal with the given roles and overrides. */
export function testPrincipal(roles: Role[] = ['LEARNER'], overrides: Partial<Principal> = {}): Principal {
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
    ...overrides,
  };
}

export interface PassportOverrides {
  /** Seconds since the passport was signed. */
  age?: number;
  claims?: Record<string, unknown>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The passport header for a principal; `null` stands for the gateway itself. */
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
    principal,
    ...claims,
  };
  const unsigned = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(payload)}`;
  return { [passportHeader]: `${unsigned}.${sign(null, Buffer.from(unsigned), privateKey).toString('base64url')}` };
}
