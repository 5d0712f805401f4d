import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from './processes.ts';

/** The folders of the data directory that get a file system of their own, in MB. PostgreSQL needs 512 MB for its log alone. */
const sizes = { disk: 64, nats: 300, postgres: 1_000 };

/** Puts objects, events and databases on small file systems that faults can fill. Returns false without the right to mount them. */
export function mountSmallDisks(directory: string): boolean {
  // Also if the runner is interrupted.
  process.once('exit', () => unmountDisks(directory));
  unmountStaleDisks();
  for (const name of Object.keys(sizes)) mkdirSync(join(directory, name), { mode: 0o700 });
  symlinkSync(join(directory, 'disk'), join(directory, 'storage'));
  return Object.entries(sizes).every(([name, size]) => {
    const options = `size=${size}m,mode=0700`;
    return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', join(directory, name)]).status === 0;
  });
}

export function unmountDisks(directory: string): void {
  for (const name of Object.keys(sizes)) spawnSync('umount', ['-l', join(directory, name)]);
}

/** Removes the file systems of runs that were killed: from its start to its end, a run has at least its watchdog. */
function unmountStaleDisks() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').matchAll(/^tmpfs (\S+\/lms-faults-[^/\s]+)\/\w+ /gm);
  for (const [, directory = ''] of mounts) if (processesOf(directory).length === 0) unmountDisks(directory);
}
