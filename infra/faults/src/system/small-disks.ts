import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the data directory that get a file system of their own, in MB. PostgreSQL needs 512 MB for its log alone. */
const sizes = { disk: 64, nats: 300, postgres: 1_000 };

/** Puts objects, events and databases on small file systems that faults can fill. Returns undefined without the right to mount them. */
export function mountSmallDisks(directory: string): { unmount(): void } | undefined {
  const mounted: string[] = [];
  const unmount = () => {
    for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
  };
  // Also if the runner is interrupted.
  process.once('exit', unmount);
  try {
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
