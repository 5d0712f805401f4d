import { setTimeout as pause } from 'node:timers/promises';
import { diskFaults } from './faults/disks.ts';
import type { Fault } from './faults/fault.ts';
import { processFaults } from './faults/processes.ts';
import { storeFaults } from './faults/stores.ts';
import { check, type Violation } from './invariants/check.ts';
import type { Evidence } from './invariants/evidence.ts';
import { startSystem } from './system/start-system.ts';
import { startWorkload } from './workload/workload.ts';

export interface RunOptions {
  directory: string;
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
  const { directory, breathMs, faultMs, settleMs, slowMs = Number.POSITIVE_INFINITY } = options;
  const system = await startSystem(directory);
  const workload = await startWorkload(system, breathMs).catch(async (error: unknown) => {
    await system.stop();
    throw error;
  });
  const { restores } = system;
  const evidence: Evidence = { ...workload, system, restores, outages: [], slowMs, isUsageLost: false };
  const known = new Set<string>();

  async function inject(fault: Fault, delayMs: number) {
    await pause(delayMs);
    const outage = { breaks: fault.breaks, from: Date.now(), to: Number.POSITIVE_INFINITY };
    evidence.outages.push(outage);
    await fault.inject(system, faultMs);
    outage.to = Date.now();
  }

  /** Returns the violations that `findViolations` has not yet returned. */
  const findNew = async (withinMs: number): Promise<Violation[]> =>
    (await check(evidence, withinMs)).filter(({ text }) => !known.has(text));

  /** Returns each violation once, when it is found first. */
  async function findViolations(withinMs: number): Promise<Violation[]> {
    const found = await findNew(withinMs);
    for (const { text } of found) known.add(text);
    return found;
  }

  return {
    system,
    workload,
    /** All that can be injected on this machine. */
    faults: [...processFaults, ...storeFaults, ...(system.hasSmallDisks ? diskFaults : [])],
    findNew,
    findViolations,
    /** Injects faults while the workload runs, waits until it is over, and checks the invariants. */
    async tryFaults(faults: readonly Fault[], random: () => number): Promise<Violation[]> {
      const parts = faults.map(({ part }) => part);
      evidence.isUsageLost ||= parts.includes('redis') && parts.some((part) => part.endsWith('gateway'));
      workload.resume();
      await Promise.all(faults.map((fault) => inject(fault, random() * faultMs)));
      await system.untilReady();
      await pause(faultMs);
      await workload.pause();
      return findViolations(settleMs);
    },
    async stop() {
      workload.resume();
      await workload.end();
      await system.stop();
    },
  };
}
