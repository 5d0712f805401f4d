import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensureBinaries } from '../binaries/ensure-binaries.ts';
import { startPostgres } from '../embedded/start-embedded.ts';
import { signalProcess } from '../supervisor/process.ts';
import { startCommand } from './run-tasks.ts';

/** Installs missing servers and the browser that the tests use. */
export const ensureTestTools = () =>
  ensureBinaries(
    ['nats-server', 'redis-server', 'ffmpeg', ...(process.env.CHROMIUM_PATH ? [] : ['chromium' as const])],
    {
      report: console.log,
      runTask: async ({ command: { file, args, env } }) => void (await promisify(execFile)(file, args, { env })),
    },
  );

/**
 * Creates the directory of a test run: in memory if there is enough of it, because creating and removing its hundreds of
 * databases takes three times the processor time on a disk.
 */
export async function createDirectory(): Promise<string> {
  // A file system in memory that most Linux systems have.
  const inMemory = '/dev/shm';
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  const freeGiB = Math.min(bavail * bsize, process.availableMemory()) / 1_024 ** 3;
  const base = freeGiB >= 6 ? inMemory : tmpdir();
  // A run that was killed leaves its directory, which takes memory. Whatever cannot be removed does not matter.
  for (const entry of await readdir(base)) {
    const pid = /^lms-test-(\d+)-/.exec(entry)?.[1];
    if (pid && !signalProcess(Number(pid), 0))
      await rm(join(base, entry), { recursive: true, force: true }).catch(() => undefined);
  }
  const directory = await mkdtemp(join(base, `lms-test-${process.pid}-`));
  // As that of /tmp: the servers of some tests run as another user.
  await chmod(directory, 0o1777);
  return directory;
}

/** Test databases do not have to survive a crash, and live for seconds. */
const postgresSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '400',
};
export const startTestPostgres = (directory: string) => startPostgres({ directory, settings: postgresSettings });

// Rate limits are tested in gateway/test; the acceptance tests send the requests of many users from one address.
const limits = ['GENERAL', 'AUTH', 'UPLOAD', 'WEBHOOK', 'PLAYBACK'].map((name) => [`RATE_LIMIT_${name}`, '1000000']);
// The system of infra/recovery/test transcodes its video with the default preset.
const encoder = { ENCODER_PRESET: 'ultrafast', ENCODER_THREADS: '1' };
const settings = { ...encoder, GATEWAY_PORT: '0', IDP_PORT: '0', ...Object.fromEntries(limits) };

/** Runs `npm start` with its own data directory and free ports. */
export async function startSystem(directory: string) {
  const args = [process.execPath, 'infra/local/run.mjs', 'start'];
  const { child, exited, output } = startCommand({ args, env: { ...settings, DATA_DIR: directory } });
  while (!output().includes('system is ready')) {
    if (child.exitCode !== null) throw new Error(`the system did not start:\n${output()}`);
    await pause(200);
  }
  const { gateway, identityProvider } = JSON.parse(await readFile(join(directory, 'stack.json'), 'utf8'));
  const urls = { ACCEPTANCE_GATEWAY_URL: String(gateway.url), ACCEPTANCE_IDP_URL: String(identityProvider.url) };
  return {
    environment: { ...urls, ACCEPTANCE_DATA_DIR: directory },
    async stop() {
      child.kill('SIGTERM');
      const code = await exited;
      if (code !== 0) throw new Error(`the system exited with ${code}:\n${output()}`);
    },
  };
}
