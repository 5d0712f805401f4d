import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@lms/testing/wait-for';
import { Random } from 'random';
import { plant, prepareEvidence } from './checks/evidence.ts';
import { invariants, leasedInvariants } from './checks/invariants.ts';
import { planted } from './checks/planted.ts';
import { clients, type Fault, listFaults } from './system/faults.ts';
import { startSystem } from './system/system.ts';
import { startWorkload } from './workload/workload.ts';

interface Violation {
  invariant: string;
  text: string;
}

/**
 * `breathMs` is the pause of each user between two steps, `settleMs` the time until a violation counts. Only the connections of
 * the `proxied` processes can be reset.
 */
const defaults = {
  ...{ seed: 1, breathMs: 200, faultMs: 3_000, settleMs: 10_000, slowMs: Number.POSITIVE_INFINITY },
  proxied: clients,
};
/** What an interrupted upload or job has left is handled when its lease has ended. */
const leaseMs = 90_000;
/** A gateway may keep calls to itself for ten seconds after a slow command to Redis, which looks as if they were lost. */
const maxAttempts = 15;

/** Starts the system and the workload. If that fails, the processes end with this one. */
export async function startRun(directory: string, options: Partial<typeof defaults>) {
  const { seed, breathMs, faultMs, settleMs, slowMs, proxied } = { ...defaults, ...options };
  const system = await startSystem(directory, proxied);
  const { sql } = system;
  const workload = await startWorkload(system, breathMs, slowMs);
  const { outages, collect } = await prepareEvidence(system, workload);
  const random = new Random(seed);
  const known = new Set<string>();
  let isUsageLost = false;

  async function inject({ breaks, part, inject }: Fault) {
    await pause(random.float(0, faultMs));
    const since = Date.now();
    await inject(system, faultMs, part);
    await system.untilReady([part]);
    outages.push({ breaks, since, until: Date.now() });
  }

  /** Plants a violation, checks all invariants, and again those that are violated until the time is over. */
  async function check(withinMs: number, change = 'select'): Promise<Violation[]> {
    const startedAt = Date.now();
    const list = (table: Record<string, string[]>, limitMs: number) =>
      Object.entries(table).flatMap(([invariant, queries]) => queries.map((query) => ({ invariant, query, limitMs })));
    let checks = [...list(invariants, withinMs), ...list(leasedInvariants, withinMs && Math.max(withinMs, leaseMs))];
    const violations: Violation[] = [];
    for (; checks.length > 0; await pause(200)) {
      await collect(isUsageLost);
      await sql.unsafe(`begin; ${plant(change)}`);
      const violated = [];
      for (const one of checks) {
        const texts = (await sql.unsafe(one.query)).map(({ text }) => String(text));
        if (texts.length > 0 && Date.now() < startedAt + one.limitMs) violated.push(one);
        else violations.push(...texts.map((text) => ({ invariant: one.invariant, text })));
      }
      await sql.unsafe('rollback');
      checks = violated;
    }
    return violations.filter(({ text }) => !known.has(text));
  }

  /** Returns each violation once, when it is found first. */
  async function find(withinMs: number): Promise<Violation[]> {
    const found = await check(withinMs);
    for (const { text } of found) known.add(text);
    return found;
  }

  /** Plants a violation until exactly the expected invariant is reported. */
  async function detect(expected: string, change?: string) {
    for (let attempt = 1; ; attempt += 1) {
      const violations = await check(0, change);
      const isFound = violations.length > 0 && violations.every(({ invariant }) => invariant === expected);
      if (isFound || attempt === maxAttempts) return { isFound, violations };
      await pause(1_000);
      // A request that failed because the machine is busy stays in the journal, and would be found again.
      await find(0);
    }
  }

  return {
    system,
    workload,
    random,
    faults: listFaults(system),
    /** Injects faults while the workload runs, waits until it is over, and checks the invariants. */
    async tryFaults(faults: readonly Fault[]): Promise<Violation[]> {
      const parts = faults.map(({ part }) => part);
      isUsageLost ||= parts.includes('redis') && parts.some((part) => part.endsWith('gateway'));
      workload.resume();
      await Promise.all(faults.map(inject));
      await system.untilReady();
      await pause(faultMs);
      await workload.pause();
      return find(settleMs);
    },
    /** Plants each violation in turn. */
    async *detectPlanted() {
      await workload.pause();
      // What an interrupted upload has left is removed when its lease has ended, which changes what the checks compare.
      const unfinished = () => sql`select from media.objects where status in ('offered', 'removing')`;
      await waitFor(async () => (await unfinished()).length === 0);
      const violations = await find(60_000);
      yield { name: 'nothing is violated', isFound: violations.length === 0, violations };
      for (const [invariant, changes] of Object.entries(planted))
        for (const [name, change] of Object.entries(changes)) yield { name, ...(await detect(invariant, change)) };
      const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
      yield { name: 'a process is left over', ...(await detect('processes')) };
      child.kill();
    },
    async stop() {
      await workload.pause();
      await system.stop();
    },
  };
}
