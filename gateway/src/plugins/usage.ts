import { ok } from '@lms/contracts/envelope';
import { etags } from '@lms/service/etags';
import { Unauthorized } from '@lms/service/problems';
import type { FastifyPluginAsync } from 'fastify';
import { currentMonth } from '../quotas/ledger.ts';

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
