import { readdir, readFile } from 'node:fs/promises';

type Pids = Record<string, number>;

/**
 * Processor time in seconds of a process, its children, and those that have ended: PostgreSQL has a process for each session.
 * In `stat`, the fields after the program's name are: state, parent, …, from the 12th on the processor time of the process and of
 * its ended children, in user and system mode, in hundredths of a second.
 */
async function cpuSecondsOf(pids: readonly number[]): Promise<number[]> {
  const totals = new Map(pids.map((pid) => [pid, 0]));
  const all = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  // Other processes end in the meantime.
  const stats = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  for (const stat of stats) {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    for (const pid of [Number.parseInt(stat, 10), Number(fields[1])]) {
      const total = totals.get(pid);
      if (total === undefined) continue;
      totals.set(pid, total + fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100);
      break;
    }
  }
  return pids.map((pid) => totals.get(pid) ?? 0);
}

/** Does some work, and returns the processor time in seconds that the processes used, by their names, and the seconds it took. */
export async function usedBy<T>(pids: Pids, work: () => Promise<T>) {
  const before = await cpuSecondsOf(Object.values(pids));
  const startedAt = performance.now();
  const value = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await cpuSecondsOf(Object.values(pids));
  const used = Object.keys(pids).map((name, at) => [name, (after[at] ?? 0) - (before[at] ?? 0)] as const);
  return { value, seconds, used: Object.fromEntries(used) };
}

/** Resident memory in MiB, now or, as `VmHWM`, the largest so far. */
export async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
}

/** Like `usedBy`, with the growth of the memory of each process at its peak. */
export async function watch<T>(pids: Pids, work: () => Promise<T>) {
  const resident = () => Promise.all(Object.values(pids).map((pid) => memoryOf(pid)));
  const before = await resident();
  const peak = [...before];
  const sample = async () => {
    for (const [at, now] of (await resident()).entries()) peak[at] = Math.max(peak[at] ?? 0, now);
  };
  // If a process has exited, the measured work fails with a better error.
  const timer = setInterval(() => void sample().catch(() => undefined), 50);
  const result = await usedBy(pids, work).finally(() => clearInterval(timer));
  const grown = Object.keys(pids).map((name, at) => [name, (peak[at] ?? 0) - (before[at] ?? 0)] as const);
  return { ...result, grown: Object.fromEntries(grown) };
}
