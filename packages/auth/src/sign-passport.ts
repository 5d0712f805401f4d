import { createPrivateKey, sign } from 'node:crypto';
import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';

/** What a passport says: who is calling, or (`null`) that the gateway asks on its own behalf. */
export interface PassportSubject {
  principal: Principal | null;
  requestId: string;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Makes the function that signs passports: compact EdDSA JWTs that live a minute.
 * Signing stands here instead of in a JWT library because it runs once a request and is three lines.
 */
export function createPassportSigner(privateKeyPem: string) {
  const key = createPrivateKey(privateKeyPem);
  const header = encode({ alg: 'EdDSA', typ: 'JWT' });
  return ({ principal, requestId }: PassportSubject): string => {
    const iat = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: passportIssuer,
      aud: passportAudience,
      sub: principal?.userId ?? passportIssuer,
      iat,
      exp: iat + passportLifetimeSeconds,
    };
    const unsigned = `${header}.${encode({ ...claims, requestId, principal })}`;
    return `${unsigned}.${sign(null, Buffer.from(unsigned), key).toString('base64url')}`;
  };
}
export type SignPassport = ReturnType<typeof createPassportSigner>;
