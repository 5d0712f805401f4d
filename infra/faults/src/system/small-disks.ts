import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from './process-tree.ts';

/** The folders of the data directory that get a file system of their own, in MB. PostgreSQL needs 512 MB for its log alone. */
const sizes = { disk: 64, nats: 300, postgres: 1_000 };

/** Puts objects, events and databases on small file systems that faults can fill. Returns undefined without the right to mount them. */
export function mountSmallDisks(directory: string): { unmount(): void } | undefined {
  const mounted: string[] = [];
  const unmount = () => {
    for (const folder of mounted.splice(0)) spawnSync('umount', ['-l', folder]);
  };
  // Also if the runner is interrupted.
  process.once('exit', unmount);
  try {
    unmountStale();
    for (const [name, size] of Object.entries(sizes)) {
      const folder = join(directory, name);
      mkdirSync(folder);
      if (name === 'disk') symlinkSync(folder, join(directory, 'storage'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=0700`, 'tmpfs', folder], { stdio: 'pipe' });
      mounted.push(folder);
    }
  } catch {
    unmount();
    return undefined;
  }
  return { unmount };
}

/** Removes the file systems of runs that were killed: from its start to its end, a run has at least its watchdog. */
function unmountStale() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').matchAll(/^tmpfs ((\S+\/lms-faults-[^/\s]+)\/\w+) /gm);
  for (const [, folder = '', directory = ''] of mounts)
    if (processesOf(directory).length === 0) spawnSync('umount', ['-l', folder]);
}
