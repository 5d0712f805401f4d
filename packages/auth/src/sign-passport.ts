import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';
import { createSigner } from 'fast-jwt';

/**
 * Signs passports as the gateway does, for programs that send requests to services without it: the seed, benchmarks, tests.
 * The principal `null` stands for the gateway itself.
 */
export function createPassportSigner(privateKeyPem: string) {
  const sign = createSigner({
    key: privateKeyPem,
    algorithm: 'EdDSA',
    iss: passportIssuer,
    aud: passportAudience,
    expiresIn: passportLifetimeSeconds * 1_000,
  });
  return (principal: Principal | null): string => sign({ principal, sub: principal?.userId ?? passportIssuer });
}
