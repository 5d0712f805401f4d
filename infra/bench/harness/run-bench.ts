import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './measure.ts';
import { createStarter } from './start.ts';

export type Bench = ReturnType<typeof createBench>;

/** A number that the environment may set. */
export const setting = (name: string, byDefault: number) => Number(process.env[name] ?? byDefault);

/**
 * Runs a measurement with a directory of its own, ends what it has started, and prints what was compared with targets. The
 * logs stay if it fails or a target is missed; then the process exits with 1.
 */
export async function runBench(work: (bench: Bench) => Promise<unknown>) {
  const directory = await mkdtemp(join(tmpdir(), 'lms-bench-'));
  const bench = createBench(directory);
  await work(bench).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
  await bench.stop();
  console.table(bench.targets);
  await rm(process.exitCode ? bench.data : directory, { recursive: true, force: true });
  if (process.exitCode) console.log(`logs: ${bench.logs}`);
}

function createBench(directory: string) {
  const targets: Record<string, { target: string; measured: number; met: boolean }> = {};
  return {
    ...createStarter(directory),
    targets,
    /** Compares with a target. What was not measured, because of BENCH_ONLY, is left out. */
    check(name: string, value: number | undefined, limit: { atLeast: number } | { atMost: number }) {
      if (value === undefined) return;
      const met = 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost;
      const target = 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`;
      targets[name] = { target, measured: rounded(value), met };
      if (!met) process.exitCode = 1;
    },
  };
}

const rounded = (value: number) => Number(value.toFixed(3));

/** The value below which a share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export type Cases = Record<string, (round: number) => Promise<Measured>>;

/**
 * Runs the cases in turns, so that other load on the machine affects all of them, and prints the medians of what they have
 * measured. Round 0 warms up and does not count. BENCH_ONLY, a pattern of their names, chooses some of them.
 */
export async function compare(cases: Cases, rounds: number) {
  const only = new RegExp(process.env.BENCH_ONLY ?? '');
  const chosen = Object.entries(cases).filter(([name]) => only.test(name));
  const results: Record<string, Measured[]> = {};
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, run] of chosen) {
      const measured = await run(round);
      if (round > 0) results[name] = [...(results[name] ?? []), measured];
    }
  /** All values of a column, by round. */
  const values = (name: string, column: string) => results[name]?.map((measured) => measured[column] ?? Number.NaN);
  const median = (name: string, column: string) => rounded(quantile(values(name, column) ?? [], 0.5));
  const rows = Object.entries(results).map(([name, [first = {}]]) => {
    const columns = Object.keys(first).map((column) => [column, median(name, column)]);
    return [name, Object.fromEntries(columns)];
  });
  console.table(Object.fromEntries(rows));
  return {
    values,
    /** Each round's own ratio, then their median: rounds in which the machine was busy count for both sides. */
    ratio(one: string, base: string, column: string): number | undefined {
      const [ones, bases] = [values(one, column), values(base, column)];
      const ratios = ones?.map((value, round) => value / (bases?.[round] ?? Number.NaN));
      return ratios && bases && quantile(ratios, 0.5);
    },
  };
}
