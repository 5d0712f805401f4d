import { setTimeout as pause } from 'node:timers/promises';
import { Random } from 'random';
import { findViolations, type Violation } from './invariants/invariants.ts';
import type { Evidence } from './invariants/journal-checks.ts';
import { type Fault, listFaults } from './system/faults.ts';
import { startSystem } from './system/system.ts';
import { startWorkload } from './workload/workload.ts';

export type Run = Awaited<ReturnType<typeof startRun>>;

/** `breathMs` is the pause of each user between two steps, `settleMs` the time until a violation counts. */
const defaults = { seed: 1, breathMs: 200, faultMs: 3_000, settleMs: 10_000, slowMs: Number.POSITIVE_INFINITY };

/** Starts the system and the workload. */
export async function startRun(directory: string, options: Partial<typeof defaults>) {
  const { seed, breathMs, faultMs, settleMs, slowMs } = { ...defaults, ...options };
  const system = await startSystem(directory);
  const workload = await startWorkload(system, breathMs).catch(system.abort);
  const evidence: Evidence = { system, workload, outages: [], slowMs, isUsageLost: false };
  const random = new Random(seed);
  const known = new Set<string>();

  async function inject({ breaks, part, inject }: Fault) {
    await pause(random.float(0, faultMs));
    const outage = { breaks, from: Date.now(), to: Number.POSITIVE_INFINITY };
    evidence.outages.push(outage);
    await inject(system, faultMs);
    await system.untilReady(part);
    outage.to = Date.now();
  }

  /** Returns each violation once, when it is found first, unless it is to be found again. */
  async function find(withinMs: number, { again = false } = {}): Promise<Violation[]> {
    const found = (await findViolations(evidence, withinMs)).filter(({ text }) => !known.has(text));
    for (const { text } of again ? [] : found) known.add(text);
    return found;
  }

  return {
    system,
    workload,
    random,
    faults: listFaults(system),
    find,
    /** Injects faults while the workload runs, waits until it is over, and checks the invariants. */
    async tryFaults(faults: readonly Fault[]): Promise<Violation[]> {
      const parts = faults.map(({ part }) => part);
      evidence.isUsageLost ||= parts.includes('redis') && parts.some((part) => part.endsWith('gateway'));
      workload.resume();
      await Promise.all(faults.map(inject));
      await system.untilReady();
      await pause(faultMs);
      await workload.pause();
      return find(settleMs);
    },
    async stop() {
      await workload.pause();
      await system.stop();
    },
  };
}
