import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** An environment variable that all processes of a run inherit. */
export const runVariable = 'FAULTS_RUN';

/**
 * The processes of a run in this directory. PostgreSQL and Redis overwrite their environment with their title, but work in
 * the directory.
 */
export function processesOf(directory: string) {
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
export const treesOf = (roots: (number | null | undefined)[], all: { pid: number; parent: number }[]): number[] =>
  roots.flatMap((root) => {
    if (!root) return [];
    const children = all.filter(({ parent }) => parent === root).map(({ pid }) => pid);
    return [root, ...treesOf(children, all)];
  });

/** The folders of the data directory that get a file system of their own, in MB. PostgreSQL needs 512 MB for its log alone. */
const disks = { disk: 64, nats: 300, postgres: 1_000 };

/** Puts objects, events and databases on small file systems that faults can fill. Returns false without the right to mount them. */
export function mountSmallDisks(directory: string): boolean {
  // Also if the runner is interrupted.
  process.once('exit', () => unmountDisks(directory));
  unmountStaleDisks();
  for (const name of Object.keys(disks)) mkdirSync(join(directory, name), { mode: 0o700 });
  symlinkSync(join(directory, 'disk'), join(directory, 'storage'));
  return Object.entries(disks).every(([name, size]) => {
    const options = `size=${size}m,mode=0700`;
    return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', join(directory, name)]).status === 0;
  });
}

export function unmountDisks(directory: string): void {
  for (const name of Object.keys(disks)) spawnSync('umount', ['-l', join(directory, name)]);
}

/** Removes the file systems of runs that were killed: from its start to its end, a run has at least its watchdog. */
function unmountStaleDisks() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').matchAll(/^tmpfs (\S+\/lms-faults-[^/\s]+)\/\w+ /gm);
  for (const [, directory = ''] of mounts) if (processesOf(directory).length === 0) unmountDisks(directory);
}
