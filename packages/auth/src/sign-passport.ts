import { createPrivateKey, sign } from 'node:crypto';
import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';

/** What a passport says: who is calling, or (`null`) that the gateway asks on its own behalf. */
export interface PassportSubject {
  principal: Principal | null;
  requestId: string;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encode({ alg: 'EdDSA', typ: 'JWT' });

/** A passport that still lacks its signature. */
function draft({ principal, requestId }: PassportSubject): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: passportIssuer,
    aud: passportAudience,
    sub: principal?.userId ?? passportIssuer,
    iat,
    exp: iat + passportLifetimeSeconds,
  };
  return `${header}.${encode({ ...claims, requestId, principal })}`;
}

/**
 * Makes the function that signs passports: compact EdDSA JWTs that live a minute.
 * Signing stands here instead of in a JWT library because it runs once a request and is three lines.
 */
export function createPassportSigner(privateKeyPem: string) {
  const key = createPrivateKey(privateKeyPem);
  return (subject: PassportSubject): string => {
    const unsigned = draft(subject);
    return `${unsigned}.${sign(null, Buffer.from(unsigned), key).toString('base64url')}`;
  };
}
export type SignPassport = ReturnType<typeof createPassportSigner>;

/** The same beside the event loop: a signature takes ten times as long as everything else about a passport. */
export function createBackgroundSigner(privateKeyPem: string) {
  const key = createPrivateKey(privateKeyPem);
  return (subject: PassportSubject): Promise<string> => {
    const unsigned = draft(subject);
    return new Promise((resolve, reject) => {
      sign(null, Buffer.from(unsigned), key, (error, signature) => {
        if (error) reject(error);
        else resolve(`${unsigned}.${signature.toString('base64url')}`);
      });
    });
  };
}
export type SignInBackground = ReturnType<typeof createBackgroundSigner>;
