import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, ensureBinaries, ffmpeg, natsServer, redisServer } from '../binaries/ensure-binaries.ts';
import { identify } from '../supervisor/process-identity.ts';
import { runCommand } from './run-tasks.ts';

/** Installs missing servers and the browser that the tests use. */
export async function ensureTestTools(): Promise<void> {
  const browser = process.env.CHROMIUM_PATH ? [] : [chromium];
  await ensureBinaries([natsServer, redisServer, ffmpeg, ...browser], {
    report: console.log,
    async runTask({ name, command }) {
      const { code, output } = await runCommand(command.file, command.args, { env: command.env ?? {} });
      if (code !== 0) throw new Error(`${name} exited with ${code}:\n${output}`);
    },
  });
}

// A file system in memory that most Linux systems have.
const inMemory = '/dev/shm';
const leastFreeGiB = 6;
const name = /^lms-test-(\d+)-/;

/**
 * Creates the directory of a test run: in memory if there is enough of it, because creating and removing its hundreds of
 * databases takes three times the processor time on a disk.
 */
export async function createDirectory(): Promise<string> {
  const base = (await hasSpace(inMemory)) ? inMemory : tmpdir();
  await removeAbandoned(base);
  const directory = await mkdtemp(join(base, `lms-test-${process.pid}-`));
  // As that of /tmp: the servers of some tests run as another user.
  await chmod(directory, 0o1777);
  return directory;
}

async function hasSpace(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, process.availableMemory()) / 1_024 ** 3 >= leastFreeGiB;
}

/** A run that was killed leaves its directory, which takes memory. Whatever cannot be removed does not matter. */
async function removeAbandoned(base: string) {
  const abandoned = (await readdir(base)).filter((entry) => {
    const [, pid] = name.exec(entry) ?? [];
    return pid && !identify(Number(pid));
  });
  await Promise.allSettled(abandoned.map((entry) => rm(join(base, entry), { recursive: true, force: true })));
}
