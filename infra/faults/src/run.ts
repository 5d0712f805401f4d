import { setTimeout as pause } from 'node:timers/promises';
import { Random } from 'random';
import { findViolations, type Violation } from './invariants/invariants.ts';
import type { Evidence } from './invariants/journal-checks.ts';
import { type Fault, listFaults } from './system/faults.ts';
import { startSystem } from './system/system.ts';
import { startWorkload } from './workload/workload.ts';

export interface RunOptions {
  directory: string;
  /** Determines the order and the moments of the faults. */
  seed: number;
  /** The pause of each user between two steps. */
  breathMs: number;
  /** How long a fault lasts. */
  faultMs: number;
  /** The time that projections and events have, until their violation counts. */
  settleMs: number;
  /** Requests that take longer show that the machine is too busy. None does by default. */
  slowMs?: number;
}

export type Run = Awaited<ReturnType<typeof startRun>>;

/** Starts the system and the workload. */
export async function startRun(options: RunOptions) {
  const { directory, seed, breathMs, faultMs, settleMs, slowMs = Number.POSITIVE_INFINITY } = options;
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

  /** Returns the violations that `findOnce` has not yet returned. */
  const findNew = async (withinMs: number): Promise<Violation[]> =>
    (await findViolations(evidence, withinMs)).filter(({ text }) => !known.has(text));

  /** Returns each violation once, when it is found first. */
  async function findOnce(withinMs: number): Promise<Violation[]> {
    const found = await findNew(withinMs);
    for (const { text } of found) known.add(text);
    return found;
  }

  return {
    system,
    workload,
    random,
    faults: listFaults(system),
    findNew,
    findOnce,
    /** Injects faults while the workload runs, waits until it is over, and checks the invariants. */
    async tryFaults(faults: readonly Fault[]): Promise<Violation[]> {
      const parts = faults.map(({ part }) => part);
      evidence.isUsageLost ||= parts.includes('redis') && parts.some((part) => part.endsWith('gateway'));
      workload.resume();
      await Promise.all(faults.map(inject));
      await system.untilReady();
      await pause(faultMs);
      await workload.pause();
      return findOnce(settleMs);
    },
    async stop() {
      workload.resume();
      await workload.end();
      await system.stop();
    },
  };
}
