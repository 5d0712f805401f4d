import { hash } from 'node:crypto';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { errors } from '@lms/contracts/errors';
import { atMost } from '@lms/service/cache-size';
import { sendProblem } from '@lms/service/error-handler';
import { defineProblem, type ProblemContext } from '@lms/service/problems';
import { createCounter } from '@lms/telemetry/metrics';
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Options } from '../config.ts';
import { createRateLimitStore } from '../rate-limits/store.ts';
import { defaultLimit } from '../routes.ts';

type Scope = Static<typeof errors.RATE_LIMITED.details>['scope'];

const windowMs = 60_000;
const playbackMs = 15 * 60_000;
const maxPlaybacks = 50_000;
const rateLimited = { code: 'RATE_LIMITED', statusCode: 429, message: 'Too many requests' } as const;
const RateLimited = defineProblem(rateLimited.code, rateLimited.statusCode, rateLimited.message);
const total = { name: 'gateway_rate_limited_total', help: 'Requests over a public limit', labels: ['scope'] };

/** The public limits: fixed windows of a minute, by address (of IPv6 the /64), by playback, and for uploads by user. */
export const rateLimits = fp(async (app, options: Options) => {
  app.decorate('rateLimits', await createRateLimits(app, options));
});
export type RateLimits = Awaited<ReturnType<typeof createRateLimits>>;

async function createRateLimits(app: FastifyInstance, { config, registry }: Options) {
  const { store, fullWindow } = createRateLimitStore(app.redis, windowMs, registry);
  await app.register(rateLimit, { global: false, timeWindow: windowMs, store });
  app.decorateRequest('rateLimitLeft', Number.POSITIVE_INFINITY);
  const countRefusal = createCounter(registry, total);
  const limits = {
    none: undefined,
    general: createLimit('general', config.RATE_LIMIT_GENERAL, byAddress),
    auth: createLimit('auth', config.RATE_LIMIT_AUTH, byAddress),
    webhook: createLimit('webhook', config.RATE_LIMIT_WEBHOOK, byAddress),
    playback: createLimit('playback', config.RATE_LIMIT_PLAYBACK, byPlayback),
    // Every made-up token would have a limit of its own, so requests with tokens that are not known count by address too.
    unknownPlayback: createLimit('playback', config.RATE_LIMIT_PLAYBACK, (request) => `unknown:${byAddress(request)}`),
    upload: createLimit('upload', config.RATE_LIMIT_UPLOAD, ({ principal }) => String(principal?.userId)),
  };
  type Limit = ReturnType<typeof createLimit>;

  function createLimit(scope: Scope, max: number, countedBy: (request: FastifyRequest) => string) {
    const keyGenerator = (request: FastifyRequest) => `lms:limit:${scope}:${countedBy(request)}`;
    return { scope, max, keyOf: keyGenerator, count: app.createRateLimit({ max, keyGenerator }) };
  }

  /** The limit by address or playback of a request; undefined for what is not counted. */
  const limitOf = ({ policy, url }: FastifyRequest): Limit | undefined => limits[policy.limit ?? defaultLimit(url)];

  async function count({ scope, max, count }: Limit, request: FastifyRequest, reply: FastifyReply) {
    const counted = await count(request);
    if (counted.isAllowed) return;
    if (counted.isExceeded) throw new RateLimited(refusal(scope, max, counted.ttl));
    if (counted.remaining >= request.rateLimitLeft) return;
    request.rateLimitLeft = counted.remaining;
    reply.headers(headersOf(max, counted.remaining, counted.ttl));
  }

  function refusal(scope: Scope, limit: number, resetAtMs: number): ProblemContext {
    countRefusal({ scope });
    const retryAfter = String(Math.max(1, Math.ceil((resetAtMs - Date.now()) / 1_000)));
    return {
      details: { scope, limit, resetAt: new Date(resetAtMs).toISOString() },
      headers: { ...headersOf(limit, 0, resetAtMs), 'retry-after': retryAfter },
    };
  }

  // A client that is known to be over its limit is refused before anything else.
  app.addHook('onRequest', (request, reply, done) => {
    const [limit, more] = [limitOf(request), isUnknownPlayback(request) ? limits.unknownPlayback : undefined];
    if (!refuseFull(limit, request, reply) && !refuseFull(more, request, reply)) done();
  });

  function refuseFull(limit: Limit | undefined, request: FastifyRequest, reply: FastifyReply): boolean {
    const full = limit && fullWindow(limit.keyOf(request), limit.max);
    // Creating an Error would cost more than the rest of this response.
    if (full) sendProblem(reply, { ...rateLimited, ...refusal(limit.scope, limit.max, full.ttl) });
    return full !== undefined;
  }

  const playbacks = new LRUCache<string, true>({ ...atMost(maxPlaybacks), ttl: playbackMs });
  const isUnknownPlayback = (request: FastifyRequest) =>
    request.policy.limit === 'playback' && !playbacks.has(byPlayback(request));
  app.addHook('onResponse', (request, { statusCode }, done) => {
    if (!isUnknownPlayback(request) || statusCode >= 500 || statusCode === rateLimited.statusCode) return done();
    // The gateway itself responds to preflights, and to methods that the path does not have, whatever the token.
    if (request.policy.service === 'media' && statusCode < 400) playbacks.set(byPlayback(request), true);
    else limits.unknownPlayback.count(request).catch(() => undefined);
    done();
  });

  return {
    /** Counts a request by its address, or by its playback. @throws a 429 */
    countAddress(request: FastifyRequest, reply: FastifyReply) {
      const limit = limitOf(request);
      return limit && count(limit, request, reply);
    },
    /** Counts an upload by its user; of a resumable upload its beginning. @throws a 429 */
    countUpload(request: FastifyRequest, reply: FastifyReply) {
      const { isUpload, isResumable } = request.policy;
      const counts = isUpload && !(isResumable && request.method === 'PATCH');
      return counts ? count(limits.upload, request, reply) : undefined;
    },
  };
}

const byAddress = ({ ip }: FastifyRequest) => (ip.includes(':') ? normalizeIP(ip) : ip);

// Tokens are long and secret.
const byPlayback = ({ params }: FastifyRequest) => hash('sha256', String(Object(params).token), 'base64url');

const headersOf = (limit: number, remaining: number, resetAtMs: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1_000)),
});
