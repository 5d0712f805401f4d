import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

/** The folders of the data directory that get a file system of their own, in MB. PostgreSQL needs 512 MB for its log alone. */
const disks = { disk: 64, nats: 300, postgres: 1_000 };

/** Puts objects, events and databases on small file systems that faults can fill, if this process has the right to mount them. */
export function mountSmallDisks(directory: string) {
  const paths = Object.keys(disks).map((name) => join(directory, name));
  for (const path of paths) mkdirSync(path, { mode: 0o700 });
  symlinkSync(join(directory, 'disk'), join(directory, 'storage'));
  // Its input also ends when this process is killed.
  const shell = spawn('sh', ['-c', 'cat; umount -l "$@"', 'sh', ...paths], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const hasSmallDisks = Object.entries(disks).every(([name, size]) => {
    const options = `size=${size}m,mode=0700`;
    return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', join(directory, name)]).status === 0;
  });
  async function unmountDisks() {
    shell.stdin.end();
    await once(shell, 'exit');
  }
  return { hasSmallDisks, unmountDisks };
}
