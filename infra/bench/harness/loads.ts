// Load by wrk on several systems, and the processor time that it took. Needs wrk.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printTable } from './report.ts';
import { inTurns, median } from './rounds.ts';
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

export interface Measured {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
  /** Processor time of a request, by process. */
  cpuMs: Record<string, number>;
}
export const perSecond = ({ requestsPerSecond }: Measured) => requestsPerSecond;

/** Loads each way in turn, and prints a table. */
export async function compareLoads(ways: Way[], rounds: number, connections: number, seconds: number) {
  const results = await inTurns(ways, rounds, (way) => load(way, connections, seconds));
  printLoads(ways, results);
  return results;
}

export async function load({ url, headers = {}, requests, pids }: Way, connections: number, seconds: number) {
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = requests === undefined ? [] : ['-s', join(import.meta.dirname, 'load.lua')];
  const options = ['-t1', '--latency', '--timeout', '30s', `-c${connections}`, `-d${seconds}s`, ...sent, ...script];
  const target = requests === undefined ? [url] : [url, '--', requests];
  const { value, used } = await usedBy(pids, () => run('wrk', [...options, ...target]));
  const measured = parse(value.stdout);
  const perRequest = Object.entries(used).map(([name, cpu]) => [name, (cpu * 1_000) / measured.requests] as const);
  return { ...measured, cpuMs: Object.fromEntries(perRequest) };
}

const units: Record<string, number> = { us: 0.001, ms: 1, s: 1_000 };

function parse(output: string): Omit<Measured, 'cpuMs'> {
  const latencyMs = (share: string) => {
    const [, value = '0', unit = 'ms'] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
    return Number(value) * (units[unit] ?? 1);
  };
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0;
  return {
    requests: Number(/(\d+) requests in/.exec(output)?.[1]),
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p50Ms: latencyMs('50'),
    p99Ms: latencyMs('99'),
    failed: [refused, ...sockets].map(Number).reduce((a, b) => a + b, 0),
  };
}

/** Prints the medians of the rounds. */
export function printLoads(ways: readonly { name: string }[], results: Measured[][]) {
  const rows = results.map((all, at) => {
    const cpu = Object.keys(all[0]?.cpuMs ?? {}).map((name) => ({
      name,
      ms: median(all, (one) => one.cpuMs[name] ?? 0),
    }));
    const total = cpu.reduce((sum, { ms }) => sum + ms, 0).toFixed(3);
    const parts = cpu.map(({ name, ms }) => `${name} ${ms.toFixed(3)}`).join(', ');
    return [
      ways[at]?.name ?? '',
      median(all, perSecond).toFixed(0),
      median(all, ({ p50Ms }) => p50Ms).toFixed(2),
      median(all, ({ p99Ms }) => p99Ms).toFixed(1),
      all.reduce((sum, { failed }) => sum + failed, 0),
      cpu.length > 1 ? `${total}: ${parts}` : total,
    ];
  });
  printTable(['', 'requests/s', 'p50 ms', 'p99 ms', 'failed', 'CPU ms a request'], rows);
}
