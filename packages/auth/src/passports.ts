import jwt from '@fastify/jwt';
import { Principal, passportAudience, passportHeader, passportIssuer } from '@lms/contracts/passport';
import { InvalidToken, Unauthorized } from '@lms/server/problems';
import { Value } from '@sinclair/typebox/value';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling, as the verified passport says; null for anonymous callers and for the gateway itself. */
    principal: Principal | null;
    /** True when the gateway asks on its own behalf. */
    isGateway: boolean;
  }
}

export interface PassportOptions {
  /** The gateway's Ed25519 public key, PEM. */
  publicKey: string;
  /** How old a passport may be on the internal routes, which are also reached at the end of long uploads. */
  internalToleranceSeconds?: number;
}

/** Verifies the passport of every request: none means anonymous, a bad one is a 401. Authority is the scopes' business. */
export const passports = fp(
  async (app, { publicKey, internalToleranceSeconds = 6 * 3_600 }: PassportOptions) => {
    await app.register(jwt, {
      secret: { public: publicKey },
      verify: { algorithms: ['EdDSA'], allowedIss: passportIssuer, allowedAud: passportAudience, cache: false },
      decoratorName: 'passport',
    });
    app.decorateRequest('principal', null);
    app.decorateRequest('isGateway', false);
    app.addHook('onRequest', async (request) => {
      const passport = request.headers[passportHeader];
      if (passport === undefined) return;
      const isInternal = request.url.startsWith('/internal/');
      const principal = verify(String(passport), isInternal ? internalToleranceSeconds : 5);
      request.principal = principal;
      request.isGateway = principal === null;
    });

    function verify(passport: string, toleranceSeconds: number): Principal | null {
      const claims = open(passport, toleranceSeconds);
      const principal = Object(claims).principal;
      if (principal === null || Value.Check(Principal, principal)) return principal;
      throw new InvalidToken();
    }

    function open(passport: string, toleranceSeconds: number): unknown {
      try {
        return app.jwt.verify(passport, { clockTolerance: toleranceSeconds * 1_000 });
      } catch (cause) {
        throw new InvalidToken({ cause });
      }
    }
  },
  { name: 'passports' },
);

/** The caller of a route that only known people reach. */
export function caller(request: FastifyRequest): Principal {
  if (!request.principal) throw new Unauthorized();
  return request.principal;
}

/** Who caused a change and in which request, for its event and the audit trail. */
export const causeOf = (request: FastifyRequest) => ({
  actorId: request.principal?.userId ?? null,
  requestId: request.id,
});
