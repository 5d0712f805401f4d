import { setTimeout as pause } from 'node:timers/promises';
import { checkEffects, checkEvents } from './events.ts';
import type { Check, Evidence, Invariant, Violation } from './invariant.ts';
import { checkEntries, checkImports, checkLeftovers, checkRenditions } from './objects.ts';
import { checkProcesses } from './processes.ts';
import { checkProjections, checkSingles } from './projections.ts';
import { checkAccess, checkQuotas, checkServerErrors } from './responses.ts';
import { checkContests, checkWrites } from './writes.ts';

const checks: [Invariant, Check][] = [
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
];

/** What an upload, a removal or a job leaves when its process is killed is handled when its lease has ended. */
const leaseMs = 90_000;
const leased = [checkLeftovers, checkRenditions, checkImports];

/** Checks all invariants, and again those that are violated until the time is over. */
export async function check(evidence: Evidence, withinMs: number): Promise<Violation[]> {
  const startedAt = Date.now();
  const violations: Violation[] = [];
  let remaining = checks;
  while (remaining.length > 0) {
    const violated: typeof checks = [];
    for (const [invariant, find] of remaining) {
      const texts = await find(evidence);
      const deadline = startedAt + (leased.includes(find) && withinMs > 0 ? Math.max(withinMs, leaseMs) : withinMs);
      if (texts.length > 0 && Date.now() < deadline) violated.push([invariant, find]);
      else violations.push(...texts.map((text) => ({ invariant, text })));
    }
    remaining = violated;
    if (remaining.length > 0) await pause(200);
  }
  return violations;
}
