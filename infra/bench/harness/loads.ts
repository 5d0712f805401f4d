// Load by wrk on several systems, and the processor time that it took. Needs wrk.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inTurns, median, printTable } from './results.ts';
import { usedBy } from './usage.ts';

const run = promisify(execFile);

/** What is loaded. */
export interface Way {
  name: string;
  url: string;
  headers?: Record<string, string>;
  /** A file with the requests to send instead, as load.lua reads them. */
  requests?: string;
  /** The processes of which the processor time is measured. */
  pids: Record<string, number>;
}

/** What load.lua prints, and the processor time of a request, by process. */
export interface Measured {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
  cpuMs: Record<string, number>;
}
export const perSecond = ({ requestsPerSecond }: Measured) => requestsPerSecond;

/** Loads each way in turn, and prints a table. */
export async function compareLoads(
  ways: Way[],
  rounds: number,
  connections: number,
  seconds: number,
  warmUpSeconds = seconds,
) {
  const results = await inTurns(ways, rounds, (way, round) =>
    load(way, connections, round === 0 ? warmUpSeconds : seconds),
  );
  printLoads(ways, results);
  return results;
}

async function load(way: Way, connections: number, seconds: number): Promise<Measured> {
  const { url, headers = {}, requests, pids } = way;
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = ['-s', join(import.meta.dirname, 'load.lua')];
  const options = ['-t1', '--timeout', '30s', `-c${connections}`, `-d${seconds}s`, ...sent, ...script, url];
  const { value, used } = await usedBy(pids, () => run('wrk', requests ? [...options, '--', requests] : options));
  const measured = JSON.parse(value.stdout.trimEnd().split('\n').at(-1) ?? '');
  const perRequest = Object.entries(used).map(([name, cpu]) => [name, (cpu * 1_000) / measured.requests] as const);
  return { ...measured, cpuMs: Object.fromEntries(perRequest) };
}

/** Prints the medians of the rounds. */
function printLoads(ways: readonly { name: string }[], results: Measured[][]) {
  const rows = results.map((all, at) => {
    const names = Object.keys(all[0]?.cpuMs ?? {});
    const cpu = names.map((name) => median(all, ({ cpuMs }) => cpuMs[name] ?? 0));
    const total = cpu.reduce((sum, ms) => sum + ms, 0).toFixed(3);
    const parts = names.map((name, index) => `${name} ${cpu[index]?.toFixed(3)}`).join(', ');
    return [
      ways[at]?.name ?? '',
      median(all, perSecond).toFixed(0),
      median(all, ({ p50Ms }) => p50Ms).toFixed(2),
      median(all, ({ p99Ms }) => p99Ms).toFixed(1),
      all.reduce((sum, { failed }) => sum + failed, 0),
      names.length > 1 ? `${total}: ${parts}` : total,
    ];
  });
  printTable(['', 'requests/s', 'p50 ms', 'p99 ms', 'failed', 'CPU ms a request'], rows);
}
