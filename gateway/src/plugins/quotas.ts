import { randomUUID } from 'node:crypto';
import type { Plan, Principal } from '@lms/contracts/passport';
import { defineProblem } from '@lms/service/problems';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Options } from '../options.ts';
import { type Charge, createLedger, currentMonth, type Ledger, type Used } from '../quotas/ledger.ts';

declare module 'fastify' {
  interface FastifyInstance {
    quotas: {
      /** Charges a request to its caller's monthly quota. @throws a 429 */
      charge: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
      limitsOf: (principal: Principal) => Quotas;
      read: Ledger['read'];
    };
  }
  interface FastifyRequest {
    /** What was charged, and the usage after it. */
    charge: { charge: Charge; used: Used } | null;
  }
}

/** `null` stands for no limit. */
type Quotas = Record<keyof Used, number | null>;

const QuotaExceeded = defineProblem('QUOTA_EXCEEDED', 429, 'The monthly quota is used up');
const unlimited: Quotas = { apiCalls: null, uploads: null };
const quotasByPlan: Record<Plan, Quotas> = {
  FREE: { apiCalls: 1_000, uploads: 10 },
  PRO: { apiCalls: 10_000, uploads: 100 },
  ENTERPRISE: unlimited,
};
const total = { name: 'gateway_over_quota_total', help: 'Requests over a monthly quota', labels: ['metric'] };

/** Monthly quotas by plan; admins are exempt. */
export const quotas = fp(async (app, { config, registry }: Options) => {
  const ledger = createLedger(app.redis, app.log);
  const countRefusal = createCounter(registry, total);
  const limitsOf = ({ plan, roles }: Principal) =>
    !config.QUOTAS_ENABLED || roles.includes('ADMIN') ? unlimited : quotasByPlan[plan];

  async function charge(request: FastifyRequest, { raw }: FastifyReply) {
    const { principal } = request;
    if (!principal || !config.QUOTAS_ENABLED) return;
    const lease = request.policy.isUpload ? randomUUID() : undefined;
    const charge = { userId: principal.userId, month: currentMonth().name, limits: limitsOf(principal), lease };
    const { refused, used } = await ledger.charge(charge);
    if (refused) {
      countRefusal({ metric: refused });
      throw exceeded(principal, refused, charge.limits[refused] ?? 0, used[refused]);
    }
    request.charge = { charge, used };
    const finalize = () => ledger.finalize(charge, refundOf(charge, raw.headersSent ? raw.statusCode : 0));
    // The client may have disconnected in the meantime.
    if (raw.destroyed) finalize();
    else raw.on('close', finalize);
  }

  app.decorateRequest('charge', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.charge) reply.headers(headersOf(request.charge, reply.statusCode));
    done(null, payload);
  });
  app.decorate('quotas', { charge, limitsOf, read: ledger.read });
  app.addHook('onClose', ledger.close);
});

/** The part of a charge that is refunded: a call with the status 429 or 5xx, an upload that failed. */
const refundOf = ({ lease }: Charge, status: number): Used => ({
  apiCalls: status === 429 || status >= 500 ? 1 : 0,
  uploads: lease && (status < 200 || status > 299) ? 1 : 0,
});

/** The headers of the quota with the least left. */
function headersOf({ charge, used }: { charge: Charge; used: Used }, status: number) {
  const { limits, lease } = charge;
  const returned = refundOf(charge, status);
  const left = (metric: keyof Used) => (limits[metric] ?? 0) - used[metric] + returned[metric];
  const metric = lease && left('uploads') < left('apiCalls') ? 'uploads' : 'apiCalls';
  return limits[metric] === null ? {} : quotaHeaders(limits[metric], left(metric));
}

const quotaHeaders = (limit: number, left: number) => ({
  'x-quota-limit': String(limit),
  'x-quota-remaining': String(Math.max(0, left)),
  'x-quota-reset': String(currentMonth().end.getTime() / 1_000),
});

function exceeded({ plan }: Principal, metric: keyof Used, limit: number, used: number) {
  const { end } = currentMonth();
  const retryAfter = String(Math.max(1, Math.ceil((end.getTime() - Date.now()) / 1_000)));
  return new QuotaExceeded({
    details: { plan, metric, limit, used, resetsAt: end.toISOString() },
    headers: { ...quotaHeaders(limit, 0), 'retry-after': retryAfter },
  });
}
