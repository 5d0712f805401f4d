import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { usedBy } from './usage.ts';

const run = promisify(execFile);

export interface Load {
  url: string;
  headers: Record<string, string>;
  /** The process that is measured. */
  pid: number;
}

export interface Measured {
  requestsPerSecond: number;
  cpuMicrosPerRequest: number;
  p99Ms: number;
  failed: number;
}

const units: Record<string, number> = { us: 0.001, ms: 1, s: 1_000 };

/** Loads a URL over 64 connections for some seconds. */
export async function load({ url, headers, pid }: Load, seconds: number): Promise<Measured> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { value, used } = await usedBy({ measured: pid }, () => runWrk('-c64', `-d${seconds}s`, ...named, url));
  return { ...value, cpuMicrosPerRequest: ((used.measured ?? 0) * 1e6) / value.requests };
}

export async function runWrk(...options: string[]) {
  const { stdout } = await run('wrk', ['-t1', '--latency', ...options]);
  const latencyMs = (share: string) => {
    const [, value = '0', unit = 'ms'] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? [];
    return Number(value) * (units[unit] ?? 1);
  };
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? [];
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: latencyMs('50'),
    p99Ms: latencyMs('99'),
    failed:
      Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0) + sockets.map(Number).reduce((a, b) => a + b, 0),
  };
}
