import jwt from '@fastify/jwt';
import { TokenClaims } from '@lms/contracts/internal/identity';
import {
  Principal,
  passportAudience,
  passportHeader,
  passportIssuer,
  serviceTokenHeader,
} from '@lms/contracts/passport';
import { atMost } from '@lms/service/cache-size';
import { InvalidToken, Unauthorized } from '@lms/service/problems';
import { Value } from '@sinclair/typebox/value';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { createServiceTokens } from './service-tokens.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Another service may call the route with its own authority; see `createServiceTokens`. */
    acceptsServiceTokens?: boolean;
  }
  interface FastifyRequest {
    /** The caller according to the verified passport; null for anonymous callers and for the gateway itself. */
    principal: Principal | null;
    /** The claims of a valid token that has no account yet; the gateway sends them with POST /auth/sync only. */
    tokenClaims: TokenClaims | null;
    /** True if the gateway itself sent the request, not a user. */
    isGateway: boolean;
    /** The age of the passport; 0 without one. On internal routes it can exceed the passport's lifetime. */
    passportAgeSeconds: number;
    /** True if another service sent the request with its own authority; `principal` is the user it acts for. */
    isService: boolean;
  }
}

export interface PassportOptions {
  /** The gateway's Ed25519 public key, PEM. */
  publicKey: string;
  /** How long internal routes accept a passport after it expired. They are also called at the end of long uploads. */
  internalToleranceSeconds?: number;
  /** The secret that the services share; without it no request of another service's own authority is accepted. */
  serviceSecret?: string;
}

interface Claims {
  principal: Principal | null;
  tokenClaims?: TokenClaims;
  iat: number;
  exp: number;
}

const isValid = (principal: Principal | null, tokenClaims: TokenClaims | null) =>
  (principal === null || Value.Check(Principal, principal)) &&
  (tokenClaims === null || Value.Check(TokenClaims, tokenClaims));

/** How far the gateway's clock may be ahead. If it is behind, passports have enough lifetime left: the gateway uses them for 20 s. */
const clockSkewSeconds = 30;
const expiryToleranceSeconds = 5;
const maxCachedPassports = 10_000;

/** Verifies the passport of every request. Without one the caller is anonymous; an invalid one gets a 401. */
export const passports = fp(
  async (app, { publicKey, internalToleranceSeconds = 6 * 3_600, serviceSecret }: PassportOptions) => {
    await app.register(jwt, {
      secret: { public: publicKey },
      verify: {
        algorithms: ['EdDSA'],
        allowedIss: passportIssuer,
        allowedAud: passportAudience,
        // allowedIss and allowedAud are checked only if the claim is present.
        requiredClaims: ['iss', 'aud', 'iat', 'exp'],
        // Tolerances per request would create a verifier per request, at twice the cost.
        clockTolerance: internalToleranceSeconds * 1_000,
      },
      decoratorName: 'passport',
    });
    app.decorateRequest('principal', null);
    app.decorateRequest('tokenClaims', null);
    app.decorateRequest('isGateway', false);
    app.decorateRequest('passportAgeSeconds', 0);
    app.decorateRequest('isService', false);
    const serviceTokens =
      serviceSecret === undefined ? undefined : createServiceTokens(serviceSecret, internalToleranceSeconds);
    app.addHook('onRequest', async (request) => {
      const token = request.headers[serviceTokenHeader];
      if (token !== undefined) {
        if (!serviceTokens || !request.routeOptions.config.acceptsServiceTokens) throw new InvalidToken();
        request.principal = serviceTokens.verify(String(token), request.url.startsWith('/internal/'));
        request.isService = true;
        return;
      }
      const passport = request.headers[passportHeader];
      if (passport === undefined) return;
      const isInternal = request.url.startsWith('/internal/');
      const { principal, tokenClaims, ageSeconds } = verify(
        String(passport),
        isInternal ? internalToleranceSeconds : expiryToleranceSeconds,
      );
      request.principal = principal;
      request.tokenClaims = tokenClaims;
      request.isGateway = principal === null && tokenClaims === null;
      request.passportAgeSeconds = ageSeconds;
    });

    // The gateway sends the same passport with all requests of a caller for 20 seconds. fast-jwt has a cache as well, which
    // hashes the passport at each lookup.
    const verified = new LRUCache<string, Claims>(atMost(maxCachedPassports));

    function verify(passport: string, toleranceSeconds: number) {
      const { principal, tokenClaims = null, iat, exp } = verified.get(passport) ?? decode(passport);
      const now = Date.now() / 1_000;
      const isCurrent = iat - clockSkewSeconds <= now && now <= exp + toleranceSeconds;
      if (!isCurrent) throw new InvalidToken();
      return { principal, tokenClaims, ageSeconds: Math.max(0, now - iat) };
    }

    function decode(passport: string): Claims {
      const claims = verifySignature(passport);
      if (!isValid(claims.principal, claims.tokenClaims ?? null)) throw new InvalidToken();
      verified.set(passport, claims);
      return claims;
    }

    function verifySignature(passport: string): Claims {
      try {
        return app.jwt.verify(passport);
      } catch (cause) {
        throw new InvalidToken({ cause });
      }
    }
  },
  { name: 'passports' },
);

/** The authenticated caller. @throws Unauthorized if the request is anonymous */
export function caller(request: FastifyRequest): Principal {
  if (!request.principal) throw new Unauthorized();
  return request.principal;
}

/** The user and the request that cause a change, for its event and the audit log. */
export const causeOf = ({ principal, id, headers }: FastifyRequest) => ({
  actorId: principal?.userId ?? null,
  requestId: id,
  traceparent: typeof headers.traceparent === 'string' ? headers.traceparent : null,
});
