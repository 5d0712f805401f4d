import type { Principal } from '@lms/contracts/passport';
import { defineProblem } from '@lms/service/problems';
import type { WindowState } from './item.ts';
import { currentMonth } from './months.ts';
import type { Metric, Scope } from './policy.ts';

const RateLimited = defineProblem('RATE_LIMITED', 429, 'Too many requests');
const QuotaExceeded = defineProblem('QUOTA_EXCEEDED', 429, 'The monthly quota is used up');

const secondsUntil = (instantMs: number) => String(Math.max(1, Math.ceil((instantMs - Date.now()) / 1_000)));

const about = (scope: Scope, { limit, resetAtMs }: WindowState) => ({
  details: { scope, limit, resetAt: new Date(resetAtMs).toISOString() },
  headers: { 'retry-after': secondsUntil(resetAtMs) },
});

export const rateLimited = (scope: Scope, state: WindowState) => new RateLimited(about(scope, state));

/** The same as a plain value: to a flood, making an error costs more than all the rest of its answer. */
export const refusal = (scope: Scope, state: WindowState) => ({
  statusCode: 429,
  code: 'RATE_LIMITED',
  message: 'Too many requests',
  ...about(scope, state),
});

export function quotaExceeded({ plan }: Principal, metric: Metric, limit: number, used: number) {
  const { end } = currentMonth();
  return new QuotaExceeded({
    details: { plan, metric, limit, used, resetsAt: end.toISOString() },
    headers: { 'retry-after': secondsUntil(end.getTime()) },
  });
}
