import { ok } from '@lms/contracts/envelope';
import type { Plan, Principal } from '@lms/contracts/passport';
import { etags } from '@lms/service/etags';
import { defineProblem, Unauthorized } from '@lms/service/problems';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Options } from '../config.ts';
import { type Counts, createLedger, currentMonth, type Used } from '../quotas/ledger.ts';

/** `null` stands for no limit. */
type Limits = Record<keyof Used, number | null>;

const QuotaExceeded = defineProblem('QUOTA_EXCEEDED', 429, 'The monthly quota is used up');
const unlimited: Limits = { apiCalls: null, uploads: null };
const limitsByPlan: Record<Plan, Limits> = {
  FREE: { apiCalls: 1_000, uploads: 10 },
  PRO: { apiCalls: 10_000, uploads: 100 },
  ENTERPRISE: unlimited,
};
const total = { name: 'gateway_over_quota_total', help: 'Requests over a monthly quota', labels: ['metric'] };

/** Monthly quotas by plan; admins are exempt. */
export const quotas = fp(async (app, options: Options) => {
  const created = createQuotas(app, options);
  app.decorate('quotas', created);
  app.decorateRequest('used', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    const { principal, used } = request;
    if (principal && used) reply.headers(headersOf(request, created.limitsOf(principal), used, reply.statusCode));
    done(null, payload);
  });
});
export type Quotas = ReturnType<typeof createQuotas>;

function createQuotas(app: FastifyInstance, { config, registry }: Options) {
  const ledger = createLedger(app.redis);
  app.addHook('onClose', ledger.close);
  const countRefusal = createCounter(registry, total);
  // Requests of resumable uploads in progress, by user. Not in the ledger: the end of this process must not count them.
  const parts = new Map<string, number>();
  const addParts = (userId: string, more: number) => {
    const count = (parts.get(userId) ?? 0) + more;
    if (count > 0) parts.set(userId, count);
    else parts.delete(userId);
    return count;
  };
  const limitsOf = ({ plan, roles }: Principal) =>
    !config.QUOTAS_ENABLED || roles.includes('ADMIN') ? unlimited : limitsByPlan[plan];

  return {
    limitsOf,
    read: ledger.read,
    /** Charges a request to its caller's monthly quota. @throws a 429 */
    async charge(request: FastifyRequest, { raw }: FastifyReply) {
      const { principal, policy } = request;
      if (!principal || !config.QUOTAS_ENABLED || policy.limit === 'playback') return;
      const { userId } = principal;
      const own = policy.isUpload && policy.isResumable ? 1 : 0;
      const running = addParts(userId, own);
      const { used, correct } = await ledger.count(userId, { calls: 1, uploads: isReserved(policy) ? 1 : 0 });
      const finalize = (status: number) => {
        addParts(userId, -own);
        correct(correctionOf(request, status));
      };
      const limits = limitsOf(principal);
      const needed = { ...used, uploads: used.uploads + running };
      const isOver = (metric: keyof Used) => limits[metric] !== null && needed[metric] > limits[metric];
      const refused = isOver('apiCalls') ? 'apiCalls' : policy.isUpload && isOver('uploads') ? 'uploads' : undefined;
      if (refused) {
        finalize(429);
        countRefusal({ metric: refused });
        throw exceeded(principal, refused, limits[refused] ?? 0);
      }
      request.used = used;
      const onClose = () => finalize(raw.headersSent ? raw.statusCode : 0);
      // The client may have disconnected in the meantime.
      if (raw.destroyed) onClose();
      else raw.on('close', onClose);
    },
  };
}

/** The caller's usage of this month, including this request. */
export const usage: FastifyPluginAsync = async (app) => {
  await app.register(etags);
  app.get('/api/auth/usage', async ({ principal }) => {
    if (!principal) throw new Unauthorized();
    const { start, end } = currentMonth();
    const limits = app.quotas.limitsOf(principal);
    const used = await app.quotas.read(principal.userId);
    return ok({
      plan: principal.plan,
      period: { start: start.toISOString(), end: end.toISOString() },
      apiCalls: { used: used.apiCalls, limit: limits.apiCalls },
      uploads: { used: used.uploads, limit: limits.uploads },
    });
  });
};

/** An upload by a form is counted while it runs. With the parts of resumable uploads, no burst exceeds the quota. */
const isReserved = ({ isUpload, isResumable }: FastifyRequest['policy']) => Boolean(isUpload && !isResumable);

/** Gives back a call with the status 429 or 5xx and a form that failed, and counts resumable uploads that are finished. */
const correctionOf = ({ policy, finishedUploads }: FastifyRequest, status: number): Partial<Counts> => ({
  refunded: status === 429 || status >= 500 ? 1 : 0,
  uploads: finishedUploads,
  failed: isReserved(policy) && (status < 200 || status > 299) ? 1 : 0,
});

/** The headers of the quota with the least left. */
function headersOf(request: FastifyRequest, limits: Limits, used: Used, status: number) {
  const { refunded = 0, uploads = 0, failed = 0 } = correctionOf(request, status);
  const apiCallsLeft = (limits.apiCalls ?? 0) - used.apiCalls + refunded;
  const uploadsLeft = (limits.uploads ?? 0) - used.uploads - uploads + failed;
  const isUploadTighter = request.policy.isUpload && uploadsLeft < apiCallsLeft;
  const [limit, left] = isUploadTighter ? [limits.uploads, uploadsLeft] : [limits.apiCalls, apiCallsLeft];
  return limit === null ? {} : quotaHeaders(limit, left);
}

const quotaHeaders = (limit: number, left: number) => ({
  'x-quota-limit': String(limit),
  'x-quota-remaining': String(Math.max(0, left)),
  'x-quota-reset': String(currentMonth().end.getTime() / 1_000),
});

// The count may include other requests that are refused at the same time, so `used` is what the plan allows.
function exceeded({ plan }: Principal, metric: keyof Used, limit: number) {
  const { end } = currentMonth();
  const retryAfter = String(Math.max(1, Math.ceil((end.getTime() - Date.now()) / 1_000)));
  return new QuotaExceeded({
    details: { plan, metric, limit, used: limit, resetsAt: end.toISOString() },
    headers: { ...quotaHeaders(limit, 0), 'retry-after': retryAfter },
  });
}
