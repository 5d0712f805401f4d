import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { waitFor } from '@lms/testing/wait-for';

const running: ChildProcess[] = [];

/** Starts a program and waits until the probe URL responds. */
export async function start(program: string, args: string[], environment: Record<string, string>, probe: string) {
  const child = spawn(process.execPath, ['--conditions=lms-source', '--import=tsx', program, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, ...environment },
  });
  running.push(child);
  await waitFor(async () => (await fetch(probe).catch(() => undefined))?.ok, { timeoutMs: 60_000, until: probe });
  return { pid: child.pid ?? 0 };
}

export async function stopAll() {
  for (const child of running) {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await exited;
  }
}

/** Resident memory of a process, in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

/** Processor time that a process has used, in seconds. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The fields after the program's name: state, …, utime (12th), stime (13th), in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Runs some work and measures the peak memory growth and the processor time of the processes. */
export async function watch<T>(pids: Record<string, number>, work: () => Promise<T>) {
  const names = Object.keys(pids);
  const measure = () => Promise.all(names.map((name) => residentMiB(pids[name] ?? 0)));
  const measureUse = () => Promise.all(names.map((name) => processorSeconds(pids[name] ?? 0)));
  const [before, usedBefore] = await Promise.all([measure(), measureUse()]);
  const peak = [...before];
  const sample = async () => {
    for (const [at, resident] of (await measure()).entries()) peak[at] = Math.max(peak[at] ?? 0, resident);
  };
  // If a process has exited, the measured work fails with a better error.
  const timer = setInterval(() => void sample().catch(() => undefined), 50);
  const value = await work().finally(() => clearInterval(timer));
  const usedAfter = await measureUse();
  const byName = (of: (at: number) => number) => Object.fromEntries(names.map((name, at) => [name, of(at)]));
  return {
    value,
    grown: byName((at) => (peak[at] ?? 0) - (before[at] ?? 0)),
    used: byName((at) => (usedAfter[at] ?? 0) - (usedBefore[at] ?? 0)),
  };
}
