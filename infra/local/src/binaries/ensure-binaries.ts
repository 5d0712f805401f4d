import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import type { Task } from '../supervisor/process.ts';

export interface Binary {
  /** That of the package of apt as well. */
  name: string;
  brewFormula: string;
  alternative: string;
}

export const natsServer: Binary = {
  name: 'nats-server',
  brewFormula: 'nats-server',
  alternative: '"docker run -p 4222:4222 nats -js" with NATS_URL=nats://127.0.0.1:4222',
};

export const redisServer: Binary = {
  name: 'redis-server',
  brewFormula: 'redis',
  alternative: '"docker run -p 6379:6379 redis --appendonly yes" with REDIS_URL=redis://127.0.0.1:6379',
};

/** Makes the renditions of videos. */
export const ffmpeg: Binary = {
  name: 'ffmpeg',
  brewFormula: 'ffmpeg',
  alternative: 'a static build of ffmpeg and ffprobe in PATH',
};

/** The browser of the tests. */
export const chromium: Binary = {
  name: 'chromium',
  brewFormula: '--cask chromium',
  alternative: 'CHROMIUM_PATH with the path of another Chromium',
};

interface InstallOptions {
  report(line: string): void;
  runTask(task: Task): Promise<void>;
}

/** Installs missing programs with apt if there is one and this process is root; otherwise throws an error that names the packages. */
export async function ensureBinaries(programs: Binary[], { report, runTask }: InstallOptions): Promise<void> {
  const missing = programs.filter(({ name }) => !findBinary(name));
  if (missing.length === 0) return;
  const apt = findBinary('apt-get');
  if (!apt || process.getuid?.() !== 0) throw new Error(describeMissing(missing));
  const packages = missing.map(({ name }) => name);
  report(`installing ${packages.join(' and ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const lockTimeout = ['-o', 'DPkg::Lock::Timeout=120'];
  await runTask({ name: 'apt-update', command: { file: apt, args: [...lockTimeout, 'update'], env } });
  const install = [...lockTimeout, 'install', '-y', '--no-install-recommends', ...packages];
  await runTask({ name: 'apt-install', command: { file: apt, args: install, env } });
}

/** @throws if it is not installed */
export function locateBinary(server: Binary): string {
  const file = findBinary(server.name);
  if (!file) throw new Error(describeMissing([server]));
  return file;
}

function describeMissing(missing: Binary[]): string {
  return missing
    .map(
      ({ name, brewFormula, alternative }) =>
        `${name} is missing: "apt install ${name}", "brew install ${brewFormula}", or ${alternative}`,
    )
    .join('\n');
}

// Debian installs servers in sbin, which is not in the PATH of ordinary users.
const fallbackDirectories = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];

function findBinary(name: string): string | undefined {
  const { PATH = '' } = process.env;
  const env = { PATH: [PATH, ...fallbackDirectories].filter(Boolean).join(delimiter) };
  const { stdout } = spawnSync('/bin/sh', ['-c', 'command -v "$0"', name], { env, encoding: 'utf8' });
  return stdout.trim() || undefined;
}
