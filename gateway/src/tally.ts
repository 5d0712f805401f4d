import type { Metric, Scope } from './limits/policy.ts';

/** What a gateway counts as it goes: plain numbers, because most requests come by here. */
export interface Tally {
  /** 429s, by the limit that was reached. */
  limited: Record<Scope, number>;
  /** 429s, by the quota that was used up. */
  overQuota: Record<Metric, number>;
  /** Requests that this process counted without Redis. */
  countedAlone: number;
  /** 503s because too much was under way. */
  shed: number;
  /** Where anonymous reads were answered from: memory, somebody else's question, a question of their own. */
  reads: { remembered: number; shared: number; asked: number };
  principals: { remembered: number; shared: number; asked: number };
}

export const openTally = (): Tally => ({
  limited: { general: 0, auth: 0, upload: 0, webhook: 0 },
  overQuota: { apiCalls: 0, uploads: 0 },
  countedAlone: 0,
  shed: 0,
  reads: { remembered: 0, shared: 0, asked: 0 },
  principals: { remembered: 0, shared: 0, asked: 0 },
});
