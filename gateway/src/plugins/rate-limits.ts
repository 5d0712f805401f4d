import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import { sendProblem } from '@lms/service/error-handler';
import { defineProblem, type ProblemContext } from '@lms/service/problems';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Options } from '../options.ts';
import { createRateLimitStore } from '../rate-limits/store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    rateLimits: {
      /** Refuses a client that is known to be over its limit. @returns whether it was refused */
      refuseFlood: (request: FastifyRequest, reply: FastifyReply) => boolean;
      /** Counts a request by its address. @throws a 429 */
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

type Scope = 'general' | 'auth' | 'webhook' | 'upload';

interface LastRefusal {
  scope: Scope;
  resetAtMs: number;
  retryAfter: number;
  problem: ProblemContext;
}

const windowMs = 60_000;
const rateLimited = { code: 'RATE_LIMITED', statusCode: 429, message: 'Too many requests' } as const;
const RateLimited = defineProblem(rateLimited.code, rateLimited.statusCode, rateLimited.message);
const total = { name: 'gateway_rate_limited_total', help: 'Requests over a public limit', labels: ['scope'] };

/** The public limits: fixed windows of a minute, by address (of IPv6 the /64) and for uploads by user. */
export const rateLimits = fp(async (app, { config, registry }: Options) => {
  const { store, fullWindow } = createRateLimitStore(app.redis, windowMs, registry);
  const countRefusal = createCounter(registry, total);
  await app.register(rateLimit, { global: false, timeWindow: windowMs, store });
  app.decorateRequest('rateLimitLeft', Number.POSITIVE_INFINITY);

  const limits = {
    general: createLimit('general', config.RATE_LIMIT_GENERAL, byAddress),
    auth: createLimit('auth', config.RATE_LIMIT_AUTH, byAddress),
    webhook: createLimit('webhook', config.RATE_LIMIT_WEBHOOK, byAddress),
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

  /** The limit by address of a request; undefined for what is not counted. */
  function limitOf(request: FastifyRequest): Limit | undefined {
    const { limit = request.url.startsWith('/api/auth/') ? 'auth' : 'general' } = request.policy;
    return limit === 'none' ? undefined : limits[limit];
  }

  app.decorate('rateLimits', {
    refuseFlood(request, reply) {
      const limit = limitOf(request);
      const full = limit && fullWindow(limit.keyOf(request), limit.max);
      // Creating an Error would cost more than the rest of this response.
      if (full) sendProblem(reply, { ...rateLimited, ...refusal(limit.scope, limit.max, full.resetAtMs) });
      return full !== undefined;
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

const headersOf = (limit: number, remaining: number, resetAtMs: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1_000)),
});
