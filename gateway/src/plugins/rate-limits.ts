import { hash } from 'node:crypto';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import { sendProblem } from '@lms/service/error-handler';
import { defineProblem, type ProblemContext } from '@lms/service/problems';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Options } from '../options.ts';
import { createRateLimitStore } from '../rate-limits/store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    rateLimits: {
      /** Refuses a client that is known to be over its limit. @returns whether it was refused */
      refuseFlood: (request: FastifyRequest, reply: FastifyReply) => boolean;
      /** Counts a request by its address, or by its playback. @throws a 429 */
      countAddress: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;
      /** Counts an upload by its user; nothing else is counted. @throws a 429 */
      countUpload: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;
    };
  }
  interface FastifyRequest {
    /** The requests left under the tightest limit that applied. */
    rateLimitLeft: number;
  }
}

type Scope = 'general' | 'auth' | 'webhook' | 'playback' | 'upload';

interface LastRefusal {
  scope: Scope;
  resetAtMs: number;
  retryAfter: number;
  problem: ProblemContext;
}

const windowMs = 60_000;
const playbackMs = 15 * 60_000;
const maxPlaybacks = 50_000;
const rateLimited = { code: 'RATE_LIMITED', statusCode: 429, message: 'Too many requests' } as const;
const RateLimited = defineProblem(rateLimited.code, rateLimited.statusCode, rateLimited.message);
const total = { name: 'gateway_rate_limited_total', help: 'Requests over a public limit', labels: ['scope'] };

/** The public limits: fixed windows of a minute, by address (of IPv6 the /64), by playback, and for uploads by user. */
export const rateLimits = fp(async (app, { config, registry }: Options) => {
  const { store, fullWindow } = createRateLimitStore(app.redis, windowMs, registry);
  const countRefusal = createCounter(registry, total);
  await app.register(rateLimit, { global: false, timeWindow: windowMs, store });
  app.decorateRequest('rateLimitLeft', Number.POSITIVE_INFINITY);

  const limits = {
    general: createLimit('general', config.RATE_LIMIT_GENERAL, byAddress),
    auth: createLimit('auth', config.RATE_LIMIT_AUTH, byAddress),
    webhook: createLimit('webhook', config.RATE_LIMIT_WEBHOOK, byAddress),
    playback: createLimit('playback', config.RATE_LIMIT_PLAYBACK, byPlayback),
    unknownPlayback: createLimit('playback', config.RATE_LIMIT_PLAYBACK, (request) => `unknown:${byAddress(request)}`),
    upload: createLimit('upload', config.RATE_LIMIT_UPLOAD, ({ principal }) => String(principal?.userId)),
  };

  let last: LastRefusal = { scope: 'general', resetAtMs: 0, retryAfter: 0, problem: {} };

  function createLimit(scope: Scope, max: number, countedBy: (request: FastifyRequest) => string) {
    const keyGenerator = (request: FastifyRequest) => `lms:limit:${scope}:${countedBy(request)}`;
    return { scope, max, keyOf: keyGenerator, count: app.createRateLimit({ max, keyGenerator }) };
  }

  async function count({ scope, max, count }: Limit, request: FastifyRequest, reply: FastifyReply) {
    const counted = await count(request);
    if (counted.isAllowed) return;
    // The plugin returns the time left; the headers contain the end of the window.
    const resetAtMs = Date.now() + counted.ttl;
    if (counted.isExceeded) throw new RateLimited(refusal(scope, max, resetAtMs));
    if (counted.remaining >= request.rateLimitLeft) return;
    request.rateLimitLeft = counted.remaining;
    reply.headers(headersOf(max, counted.remaining, resetAtMs));
  }
  type Limit = ReturnType<typeof createLimit>;

  function refusal(scope: Scope, limit: number, resetAtMs: number) {
    countRefusal({ scope });
    const retryAfter = Math.max(1, Math.ceil((resetAtMs - Date.now()) / 1_000));
    // During a flood, most refusals are the same as the one before.
    if (last.scope !== scope || last.resetAtMs !== resetAtMs || last.retryAfter !== retryAfter) {
      const details = { scope, limit, resetAt: new Date(resetAtMs).toISOString() };
      const headers = { ...headersOf(limit, 0, resetAtMs), 'retry-after': String(retryAfter) };
      last = { scope, resetAtMs, retryAfter, problem: { details, headers } };
    }
    return last.problem;
  }

  function refuseFull(request: FastifyRequest, reply: FastifyReply, limit: Limit | undefined): boolean {
    const full = limit && fullWindow(limit.keyOf(request), limit.max);
    // Creating an Error would cost more than the rest of this response.
    if (full) sendProblem(reply, { ...rateLimited, ...refusal(limit.scope, limit.max, full.resetAtMs) });
    return full !== undefined;
  }

  /** The limit by address or playback of a request; undefined for what is not counted. */
  function limitOf(request: FastifyRequest): Limit | undefined {
    const { limit = request.url.startsWith('/api/auth/') ? 'auth' : 'general' } = request.policy;
    return limit === 'none' ? undefined : limits[limit];
  }

  // Every made-up token would have a limit of its own, so requests with tokens that are not known count by address too.
  const playbacks = new LRUCache<string, true>({ max: maxPlaybacks, ttl: playbackMs });
  const isKnown = (request: FastifyRequest) => playbacks.has(byPlayback(request));
  app.addHook('onResponse', (request, { statusCode }, done) => {
    if (request.policy.limit !== 'playback') return done();
    if (statusCode < 400) playbacks.set(byPlayback(request), true);
    else if (statusCode === 404 && !isKnown(request)) limits.unknownPlayback.count(request).catch(() => undefined);
    done();
  });

  app.decorate('rateLimits', {
    refuseFlood(request, reply) {
      const isUnknown = request.policy.limit === 'playback' && !isKnown(request);
      return (
        refuseFull(request, reply, limitOf(request)) ||
        (isUnknown && refuseFull(request, reply, limits.unknownPlayback))
      );
    },
    countAddress(request, reply) {
      const limit = limitOf(request);
      return limit && count(limit, request, reply);
    },
    countUpload(request, reply) {
      const { isUpload, isResumable } = request.policy;
      // Of a resumable upload, only the beginning counts.
      const counts = isUpload && !(isResumable && request.method === 'PATCH');
      return counts ? count(limits.upload, request, reply) : undefined;
    },
  });
});

// Of an IPv6 address the /64 counts.
const byAddress = ({ ip }: FastifyRequest) => (ip.includes(':') ? normalizeIP(ip) : ip);

// Tokens are long and secret.
const byPlayback = ({ params }: FastifyRequest) => hash('sha256', String(Object(params).token), 'base64url');

const headersOf = (limit: number, remaining: number, resetAtMs: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1_000)),
});
