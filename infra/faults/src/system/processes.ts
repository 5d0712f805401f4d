import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** An environment variable that all processes of a run inherit. */
export const runVariable = 'FAULTS_RUN';

export interface Process {
  pid: number;
  parent: number;
  command: string;
}

/**
 * The processes of a run in this directory. PostgreSQL and Redis overwrite their environment with their title, but work in
 * the directory.
 */
export function processesOf(directory: string): Process[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
    try {
      const isMarked = read('environ').split('\0').includes(`${runVariable}=${directory}`);
      if (!isMarked && !readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)) return [];
      const parent = Number(/\) \w (\d+)/.exec(read('stat'))?.[1]);
      return [{ pid, parent, command: read('cmdline').replaceAll('\0', ' ').trim() }];
    } catch {
      // It has ended.
      return [];
    }
  });
}

/** The pids of processes and all their descendants. */
export const treesOf = (roots: readonly (number | null | undefined)[], all: Process[]): number[] =>
  roots.flatMap((root) => {
    if (!root) return [];
    const children = all.filter(({ parent }) => parent === root).map(({ pid }) => pid);
    return [root, ...treesOf(children, all)];
  });
