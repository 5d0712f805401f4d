import { readdir, readFile, writeFile } from 'node:fs/promises';

/** Processes or their values, by name. */
type Named = Record<string, number>;

const ofEach = async (pids: Named, read: (pid: number, name: string) => number | Promise<number>): Promise<Named> =>
  Object.fromEntries(
    await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await read(pid, name)] as const)),
  );

/**
 * Processor time in seconds of processes, their children, and those that have ended: PostgreSQL has a process for each session.
 * In `stat`, the fields after the program's name are: state, parent, …, from the 12th on the processor time of the process and of
 * its ended children, in user and system mode, in hundredths of a second.
 */
async function cpuSecondsOf(pids: Named): Promise<Named> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Other processes end in the meantime.
  const stats = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  const processes = stats.map((stat) => {
    const [, parent, ...fields] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const seconds = fields.slice(9, 13).reduce((sum, field) => sum + field, 0) / 100;
    return { family: [Number.parseInt(stat, 10), parent], seconds };
  });
  return ofEach(pids, (pid) =>
    processes.reduce((sum, { family, seconds }) => (family.includes(pid) ? sum + seconds : sum), 0),
  );
}

/** Does some work, and returns the processor time in seconds that the processes used, by their names, and the seconds it took. */
export async function usedBy<T>(pids: Named, work: () => Promise<T>) {
  const before = await cpuSecondsOf(pids);
  const startedAt = performance.now();
  const value = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await cpuSecondsOf(pids);
  return { value, seconds, used: await ofEach(pids, (_, name) => (after[name] ?? 0) - (before[name] ?? 0)) };
}

/** Resident memory in MiB, now or, as `VmHWM`, the largest so far. */
async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
}

export const residentMiB = (pids: Named): Promise<Named> => ofEach(pids, (pid) => memoryOf(pid, 'VmRSS'));

/** Like `usedBy`, with the resident memory in MiB of each process before the work, and at most during it. */
export async function watch<T>(pids: Named, work: () => Promise<T>) {
  // Linux then counts the largest resident memory from now on.
  for (const pid of Object.values(pids)) await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await residentMiB(pids);
  const result = await usedBy(pids, work);
  return { ...result, before, peak: await ofEach(pids, (pid) => memoryOf(pid, 'VmHWM')) };
}
