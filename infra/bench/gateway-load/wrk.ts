import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuSecondsOf } from './processes.ts';

const run = promisify(execFile);

export interface Load {
  url: string;
  headers?: Record<string, string>;
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
export async function load({ url, headers = {}, pid }: Load, seconds: number): Promise<Measured> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const before = await cpuSecondsOf(pid);
  const { stdout } = await run('wrk', ['-t1', '-c64', `-d${seconds}s`, '--latency', ...named, url]);
  const cpuSeconds = (await cpuSecondsOf(pid)) - before;
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const [, p99 = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? [];
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    cpuMicrosPerRequest: (cpuSeconds * 1e6) / requests,
    p99Ms: Number(p99) * (units[unit] ?? 1),
    failed:
      Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0) + sockets.map(Number).reduce((a, b) => a + b, 0),
  };
}
