import jwt from '@fastify/jwt';
import { publicKeyOf } from '@lms/auth/passport-keys';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import { type Principal, passportAudience, passportIssuer, passportLifetimeSeconds } from '@lms/contracts/passport';
import fp from 'fastify-plugin';
import type { Options } from '../config.ts';

const reusedMs = 20_000;
const gateway = {};

/** Signs passports. One is reused for 20 seconds. The cache key is the principal object: a new one gets a new passport. */
export const passports = fp(async (app, { config: { PASSPORT_PRIVATE_KEY: key } }: Options) => {
  await app.register(jwt, {
    secret: { private: key, public: publicKeyOf(key) },
    sign: { algorithm: 'EdDSA', iss: passportIssuer, aud: passportAudience, expiresIn: passportLifetimeSeconds },
    decoratorName: 'passport',
  });
  // `sub` is part of the payload, because options of a single call make the plugin parse the private key again.
  const signed = new WeakMap<object, { passport: string; signedAt: number }>();
  app.decorate('passportOf', (principal: Principal | null) => {
    const known = signed.get(principal ?? gateway);
    // The time of day, which a passport contains: other clocks stop while the machine sleeps.
    if (known && Math.abs(Date.now() - known.signedAt) < reusedMs) return known.passport;
    const passport = app.jwt.sign({ principal, sub: principal?.userId ?? passportIssuer });
    signed.set(principal ?? gateway, { passport, signedAt: Date.now() });
    return passport;
  });
  app.decorate('passportOfToken', (tokenClaims: TokenClaims) =>
    app.jwt.sign({ principal: null, tokenClaims, sub: passportIssuer }),
  );
});
