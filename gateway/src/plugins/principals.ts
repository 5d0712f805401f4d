import { userEvents } from '@lms/contracts/events/identity';
import { resolvePrincipalPath, type TokenClaims } from '@lms/contracts/internal/identity';
import { Principal } from '@lms/contracts/passport';
import { subscribe } from '@lms/events/subscribe';
import { atMost } from '@lms/service/cache-size';
import { createServiceClient } from '@lms/service/service-client';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Options } from '../config.ts';

// Events remove a principal at once; this limits its age if none arrive.
const lifetimeMs = 20_000;
const cachedPrincipals = 50_000;
const total = { name: 'gateway_principals_total', help: 'Lookups of callers, by source', labels: ['from'] };

interface Lookup {
  claims: TokenClaims;
  requestId: string;
}

/** Looks up callers at identity and caches them; concurrent misses share one lookup. */
export const principals = fp(async (app, options: Options) => {
  app.decorate('principals', createPrincipals(app, options));
});
export type Principals = ReturnType<typeof createPrincipals>;

function createPrincipals(app: FastifyInstance, { config, registry, identityTimeoutMs }: Options) {
  const identity = createServiceClient(config.IDENTITY_URL, { timeoutMs: identityTimeoutMs });
  app.addHook('onClose', () => identity.close());
  const count = createCounter(registry, total);
  const subjectOf = new Map<string, string>();
  const cached = new LRUCache<string, Principal, Lookup>({
    ...atMost(cachedPrincipals),
    ttl: lifetimeMs,
    fetchMethod: (_subject, _stale, { context: { claims: body, requestId } }) => {
      const context = { requestId, passport: app.passportOf(null) };
      return identity.request(Principal, context, { method: 'POST', path: resolvePrincipalPath, body });
    },
    // Requests that wait for a principal while it is invalidated still get it; it is not cached.
    ignoreFetchAbort: true,
    onInsert: ({ userId }, subject) => void subjectOf.set(userId, subject),
    dispose: ({ userId }, subject) => {
      if (subjectOf.get(userId) === subject) subjectOf.delete(userId);
    },
  });

  function find(claims: TokenClaims, requestId: string): Promise<Principal> {
    const status: LRUCache.Status<string, Principal, Lookup> = {};
    const found = cached.forceFetch(claims.identityProviderId, { context: { claims, requestId }, status });
    count({ from: status.fetch === 'inflight' ? 'shared' : 'fetched' });
    return found;
  }

  void subscribe({
    bus: app.events,
    subject: userEvents,
    onEvent({ data }) {
      const { id, identityProviderId } = Object(data);
      const subjects = [identityProviderId, subjectOf.get(id)].filter((subject) => typeof subject === 'string');
      for (const subject of subjects) cached.delete(subject);
      // The event of an anonymized user has no subject: unless that is cached, any pending lookup may be this user's.
      if (subjects.length === 0) cached.clear();
    },
    onGap: () => cached.clear(),
  });

  return {
    /** The principal of a token if it is cached. */
    getCached({ identityProviderId }: TokenClaims) {
      const principal = cached.get(identityProviderId);
      if (principal) count({ from: 'cached' });
      return principal;
    },
    /** @throws the error that identity returned, or a 503 if it is unavailable */
    resolve: ({ issuedAt: _issuedAt, ...claims }: TokenClaims, requestId: string) => find(claims, requestId),
    /** Like `resolve`, without the cache; identity also stores the token's e-mail if it is newer. */
    refresh(claims: TokenClaims, requestId: string) {
      cached.delete(claims.identityProviderId);
      return find(claims, requestId);
    },
  };
}
