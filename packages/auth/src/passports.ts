import jwt from '@fastify/jwt';
import { Principal, passportAudience, passportHeader, passportIssuer } from '@lms/contracts/passport';
import { InvalidToken, Unauthorized } from '@lms/service/problems';
import { Value } from '@sinclair/typebox/value';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling, as the verified passport says; null for anonymous callers and for the gateway itself. */
    principal: Principal | null;
    /** True when the gateway asks on its own behalf. */
    isGateway: boolean;
    /** How long ago the passport was signed; 0 without one. On internal routes more than its lifetime is possible. */
    passportAgeSeconds: number;
  }
}

export interface PassportOptions {
  /** The gateway's Ed25519 public key, PEM. */
  publicKey: string;
  /** How old a passport may be on the internal routes, which are also reached at the end of long uploads. */
  internalToleranceSeconds?: number;
}

const clockSkewSeconds = 5;

/** Verifies the passport of every request: none means anonymous, a bad one is a 401. Authority is the scopes' business. */
export const passports = fp(
  async (app, { publicKey, internalToleranceSeconds = 6 * 3_600 }: PassportOptions) => {
    await app.register(jwt, {
      secret: { public: publicKey },
      verify: {
        algorithms: ['EdDSA'],
        allowedIss: passportIssuer,
        allowedAud: passportAudience,
        // What is allowed is checked only where it is present.
        requiredClaims: ['iss', 'aud', 'iat', 'exp'],
        // A verifier with a tolerance of its own would be made for every request, at twice the cost.
        clockTolerance: internalToleranceSeconds * 1_000,
        cache: false,
      },
      decoratorName: 'passport',
    });
    app.decorateRequest('principal', null);
    app.decorateRequest('isGateway', false);
    app.decorateRequest('passportAgeSeconds', 0);
    app.addHook('onRequest', async (request) => {
      const passport = request.headers[passportHeader];
      if (passport === undefined) return;
      const isInternal = request.url.startsWith('/internal/');
      const { principal, ageSeconds } = verify(
        String(passport),
        isInternal ? internalToleranceSeconds : clockSkewSeconds,
      );
      request.principal = principal;
      request.isGateway = principal === null;
      request.passportAgeSeconds = ageSeconds;
    });

    function verify(passport: string, toleranceSeconds: number): { principal: Principal | null; ageSeconds: number } {
      const { principal, iat, exp } = Object(open(passport));
      const now = Date.now() / 1_000;
      const isTimely = iat - clockSkewSeconds <= now && now <= exp + toleranceSeconds;
      if (!isTimely || (principal !== null && !Value.Check(Principal, principal))) throw new InvalidToken();
      return { principal, ageSeconds: Math.max(0, now - iat) };
    }

    function open(passport: string): unknown {
      try {
        return app.jwt.verify(passport);
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
export const causeOf = ({ principal, id, headers }: FastifyRequest) => ({
  actorId: principal?.userId ?? null,
  requestId: id,
  traceparent: typeof headers.traceparent === 'string' ? headers.traceparent : null,
});
