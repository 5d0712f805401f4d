import { randomUUID } from 'node:crypto';
import type { Principal } from '@lms/contracts/passport';
import type { Exchange } from '../exchange.ts';
import type { Tally } from '../tally.ts';
import type { Counter } from './counter.ts';
import type { Charge, Outcome, Window, WindowState } from './item.ts';
import type { BookKeeper } from './keep-book.ts';
import type { LocalWindows } from './local-windows.ts';
import { currentMonth } from './months.ts';
import { networkOf } from './network.ts';
import type { Metric, Policy, Scope } from './policy.ts';
import { quotaExceeded, rateLimited, refusal } from './problems.ts';

export interface LimitsParts {
  policy: Policy;
  counter: Counter;
  windows: LocalWindows;
  keeper: BookKeeper;
  tally: Pick<Tally, 'limited' | 'overQuota'>;
}

/** Who is to be charged for a request, and for what. */
export interface Account {
  principal: Principal;
  isUpload: boolean;
}

/** Decides whether a request may go on, by address, by caller and by month. */
export function createLimits({ policy, counter, windows, keeper, tally }: LimitsParts) {
  const byAddress = (scope: Scope, address: string): Window => ({
    key: `lms:limit:${scope}:${networkOf(address)}`,
    limit: policy.limits[scope],
  });
  const byUser = ({ userId }: Principal): Window => ({
    key: `lms:limit:upload:${userId}`,
    limit: policy.limits.upload,
  });

  /** What a flooding client is told at once, without counting or asking anybody; undefined for all others. */
  function refuseFlood(exchange: Exchange, scope: Scope, address: string) {
    const spent = windows.spent(byAddress(scope, address), Date.now());
    if (!spent) return undefined;
    exchange.windows.push(spent);
    tally.limited[scope] += 1;
    return refusal(scope, spent);
  }

  /**
   * Counts a request under its address and, when its caller is known already, under theirs: in one round trip.
   * @throws a 429
   */
  async function admit(exchange: Exchange, scope: Scope, address: string, account: Account | undefined) {
    await count(exchange, [[scope, byAddress(scope, address)]], account);
  }

  /** Counts a request under a caller who became known only after it was admitted. */
  async function charge(exchange: Exchange, account: Account) {
    await count(exchange, [], account);
  }

  async function count(exchange: Exchange, scopes: [Scope, Window][], account: Account | undefined) {
    if (account?.isUpload) scopes.push(['upload', byUser(account.principal)]);
    refuseSpent(exchange, scopes);
    const asked = scopes.map(([, window]) => window);
    const charged = account && policy.quotasEnabled ? chargeOf(account) : undefined;
    if (asked.length === 0 && !charged) return;
    const outcome = await counter.count({ windows: asked, charge: charged });
    exchange.windows.push(...outcome.windows);
    const last = outcome.windows.at(-1);
    if (outcome.isOver && last) throw over(scopes[outcome.windows.length - 1]?.[0] ?? 'general', last);
    if (account && charged) takeFromMonth(exchange, account, charged, outcome);
  }

  function over(scope: Scope, state: WindowState) {
    tally.limited[scope] += 1;
    return rateLimited(scope, state);
  }

  function refuseSpent(exchange: Exchange, scopes: [Scope, Window][]) {
    for (const [scope, window] of scopes) {
      const spent = windows.spent(window, Date.now());
      if (!spent) continue;
      exchange.windows.push(spent);
      throw over(scope, spent);
    }
  }

  function chargeOf({ principal, isUpload }: Account): Charge {
    const quotas = policy.quotasOf(principal);
    return {
      userId: principal.userId,
      month: currentMonth(),
      calls: quotas.apiCalls,
      upload: isUpload ? { lease: randomUUID(), limit: quotas.uploads } : undefined,
    };
  }

  function takeFromMonth(exchange: Exchange, { principal }: Account, charge: Charge, { used }: Outcome) {
    if (!used) return;
    const limits: [Metric, number | null, number][] = [['apiCalls', charge.calls, used.calls]];
    if (charge.upload) limits.push(['uploads', charge.upload.limit, used.uploads]);
    for (const [metric, limit, count] of limits)
      if (limit !== null) exchange.quotas.push({ metric, limit, used: count, resetsAt: charge.month.end });
    if (!used.refused) {
      exchange.charge = charge;
      if (charge.upload) keeper.hold(charge.userId, charge.upload.lease);
      // Who left while it was counted has been settled with already, before there was anything to settle.
      if (exchange.outgoing.destroyed) settle(exchange);
      return;
    }
    tally.overQuota[used.refused] += 1;
    const full = exchange.quotas.find(({ metric }) => metric === used.refused);
    throw quotaExceeded(principal, used.refused, full?.limit ?? 0, full?.used ?? 0);
  }

  /** After its answer: what was charged and not earned is given back, once. */
  function settle(exchange: Exchange) {
    const { charge, outgoing } = exchange;
    if (!charge) return;
    exchange.charge = undefined;
    const { userId, month, upload } = charge;
    const status = outgoing.headersSent ? outgoing.statusCode : 0;
    const deltas = [];
    if (status === 429 || status >= 500) deltas.push({ month, metric: 'apiCalls', userId, by: -1 } as const);
    if (upload && status >= 200 && status < 300) deltas.push({ month, metric: 'uploads', userId, by: 1 } as const);
    if (deltas.length > 0 || upload) keeper.settle(deltas, upload && { userId, name: upload.lease });
  }

  return { refuseFlood, admit, charge, settle };
}
export type Limits = ReturnType<typeof createLimits>;
