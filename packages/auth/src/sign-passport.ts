import { createPrivateKey, sign } from 'node:crypto';
import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs passports as the gateway does, for programs that send requests to services without it: the seed, benchmarks, tests.
 * The principal `null` stands for the gateway itself.
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
