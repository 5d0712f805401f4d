import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { Metric } from './limits/policy.ts';

/** The headers of an answer that say who gives it and how much is left; names and values in turn. */
export function answerHeaders(exchange: Exchange, status: number): string[] {
  const { manners, incoming, headers, windows, quotas, charge } = exchange;
  const all = headers.slice();
  if (leavesBodyUnread(incoming)) {
    exchange.lingers = true;
    all.push('connection', 'close');
  } else if (manners.isClosing || exchange.endsConnection) all.push('connection', 'close');
  const window = tightest(windows.map(({ count, limit, resetAtMs }) => ({ limit, left: limit - count, resetAtMs })));
  if (window) push(all, 'x-ratelimit', window);
  const quota = tightest(
    quotas.map(({ metric, limit, used, resetsAt }) => ({
      limit,
      left: limit - used + (charge && isGivenBack(metric, status) ? 1 : 0),
      resetAtMs: resetsAt.getTime(),
    })),
  );
  if (quota) push(all, 'x-quota', quota);
  return all;
}

/** An upload counts when it succeeds, a call unless it fails through no fault of the caller's. */
const isGivenBack = (metric: Metric, status: number) =>
  metric === 'uploads' ? status < 200 || status > 299 : status >= 500;

const shortBody = 256 * 1_024;

/** True when so much of a body may still be on its way that it is cheaper to end the connection than to read it. */
function leavesBodyUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > shortBody;
}

interface Allowance {
  limit: number;
  left: number;
  resetAtMs: number;
}

function tightest(allowances: Allowance[]): Allowance | undefined {
  let least = allowances[0];
  for (const allowance of allowances) if (least && allowance.left < least.left) least = allowance;
  return least;
}

function push(headers: string[], family: string, { limit, left, resetAtMs }: Allowance) {
  headers.push(
    `${family}-limit`,
    String(limit),
    `${family}-remaining`,
    String(Math.max(0, left)),
    `${family}-reset`,
    String(Math.ceil(resetAtMs / 1_000)),
  );
}
