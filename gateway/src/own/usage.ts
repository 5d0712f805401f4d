import { ok } from '@lms/contracts/envelope';
import { Unauthorized } from '@lms/service/problems';
import { strictPolicy } from '../entry/security-headers.ts';
import type { Exchange } from '../exchange.ts';
import type { BookKeeper } from '../limits/keep-book.ts';
import { currentMonth } from '../limits/months.ts';
import type { Policy } from '../limits/policy.ts';
import { asset, sendAsset } from '../reference/send-asset.ts';

/** What the caller has used of the month, this call included. */
export function createUsage(policy: Policy, keeper: Pick<BookKeeper, 'read'>) {
  return async (exchange: Exchange) => {
    const { principal } = exchange;
    if (!principal) throw new Unauthorized();
    const { start, end } = currentMonth();
    const limits = policy.quotasOf(principal);
    const [calls, uploads] = await Promise.all([
      keeper.read('apiCalls', principal.userId),
      keeper.read('uploads', principal.userId),
    ]);
    const usage = {
      plan: principal.plan,
      period: { start: start.toISOString(), end: end.toISOString() },
      apiCalls: { used: calls, limit: limits.apiCalls },
      uploads: { used: uploads, limit: limits.uploads },
    };
    const answer = asset('application/json; charset=utf-8', JSON.stringify(ok(usage)));
    sendAsset(exchange, answer, { policy: strictPolicy, cacheControl: 'private, no-cache' });
  };
}
