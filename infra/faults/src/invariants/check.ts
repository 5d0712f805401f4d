import { setTimeout as pause } from 'node:timers/promises';
import { checkEffects, checkEvents } from './events.ts';
import type { Check, Evidence } from './evidence.ts';
import { checkEntries, checkImports, checkLeftovers, checkRenditions } from './objects.ts';
import { checkProcesses } from './processes.ts';
import { checkProjections, checkSingles } from './projections.ts';
import { checkAccess, checkQuotas, checkServerErrors } from './responses.ts';
import { checkContests, checkWrites } from './writes.ts';

const checks = [
  ['acknowledged writes', checkWrites],
  ['projections', checkProjections],
  ['one winner', checkContests],
  ['one active', checkSingles],
  ['quotas', checkQuotas],
  ['objects', checkEntries],
  ['objects', checkLeftovers],
  ['renditions', checkRenditions],
  ['imports', checkImports],
  ['events', checkEvents],
  ['effects', checkEffects],
  ['access', checkAccess],
  ['server errors', checkServerErrors],
  ['processes', checkProcesses],
] as const satisfies [string, Check][];

export type Invariant = (typeof checks)[number][0];
export const invariants: Invariant[] = [...new Set(checks.map(([invariant]) => invariant))];

export interface Violation {
  invariant: Invariant;
  text: string;
}

/** What an upload, a removal or a job leaves when its process is killed is handled when its lease has ended. */
const leaseMs = 90_000;
const leased: Check[] = [checkLeftovers, checkRenditions, checkImports];

/** Checks all invariants, and again those that are violated until the time is over. */
export async function check(evidence: Evidence, withinMs: number): Promise<Violation[]> {
  const startedAt = Date.now();
  const violations: Violation[] = [];
  let remaining: readonly (typeof checks)[number][] = checks;
  while (remaining.length > 0) {
    const violated: (typeof checks)[number][] = [];
    for (const one of remaining) {
      const [invariant, find] = one;
      const texts = await find(evidence);
      const deadline = startedAt + (leased.includes(find) && withinMs > 0 ? Math.max(withinMs, leaseMs) : withinMs);
      if (texts.length > 0 && Date.now() < deadline) violated.push(one);
      else violations.push(...texts.map((text) => ({ invariant, text })));
    }
    remaining = violated;
    if (remaining.length > 0) await pause(200);
  }
  return violations;
}
