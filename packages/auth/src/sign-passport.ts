import { createPrivateKey, sign } from 'node:crypto';
import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs passports as the gateway does, for whoever asks services without it: the seed, measurements, tests.
 * A principal of `null` is the gateway itself.
 */
export function createPassportSigner(privateKeyPem: string) {
  const key = createPrivateKey(privateKeyPem);
  return (principal: Principal | null): string => {
    const iat = Math.floor(Date.now() / 1_000);
    const exp = iat + passportLifetimeSeconds;
    const sub = principal?.userId ?? passportIssuer;
    const claims = { iss: passportIssuer, aud: passportAudience, sub, principal, iat, exp };
    const unsigned = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(claims)}`;
    return `${unsigned}.${sign(null, Buffer.from(unsigned), key).toString('base64url')}`;
  };
}
