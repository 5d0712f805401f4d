import { setTimeout as pause } from 'node:timers/promises';
import { checkEffects, checkEvents } from './events.ts';
import type { Check, Evidence, Violation } from './invariant.ts';
import { checkProcesses } from './processes.ts';
import { checkObjects, checkProjections, checkSingles } from './projections.ts';
import { checkAccess, checkQuotas, checkServerErrors } from './responses.ts';
import { checkContests, checkWrites } from './writes.ts';

const checks: Check[] = [
  checkWrites,
  checkProjections,
  checkContests,
  checkSingles,
  checkQuotas,
  checkObjects,
  checkEvents,
  checkEffects,
  checkAccess,
  checkServerErrors,
  checkProcesses,
];

/** Checks all invariants, and again those that are violated until the time is over. */
export async function check(evidence: Evidence, withinMs: number): Promise<Violation[]> {
  const deadline = Date.now() + withinMs;
  let remaining = checks;
  for (;;) {
    const results: [Check, Violation[]][] = [];
    for (const one of remaining) results.push([one, await one(evidence)]);
    remaining = results.flatMap(([one, found]) => (found.length > 0 ? [one] : []));
    if (remaining.length === 0 || Date.now() > deadline) return results.flatMap(([, found]) => found);
    await pause(200);
  }
}
