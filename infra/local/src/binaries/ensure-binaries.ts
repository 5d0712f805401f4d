import { spawnSync } from 'node:child_process';
import type { Task } from '../supervisor/process.ts';

export interface Binary {
  /** That of the package of apt as well. */
  name: string;
  /** How to get it without apt. */
  alternatives: string;
}

export const natsServer: Binary = {
  name: 'nats-server',
  alternatives: '"brew install nats-server", or "docker run -p 4222:4222 nats -js" with NATS_URL=nats://127.0.0.1:4222',
};

export const redisServer: Binary = {
  name: 'redis-server',
  alternatives:
    '"brew install redis", or "docker run -p 6379:6379 redis --appendonly yes" with REDIS_URL=redis://127.0.0.1:6379',
};

/** Makes the renditions of videos. */
export const ffmpeg: Binary = {
  name: 'ffmpeg',
  alternatives: '"brew install ffmpeg", or a static build of ffmpeg and ffprobe in PATH',
};

/** The browser of the tests. */
export const chromium: Binary = {
  name: 'chromium',
  alternatives: '"brew install --cask chromium", or CHROMIUM_PATH with the path of another Chromium',
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
  if (!apt || process.getuid?.() !== 0) throw new Error(missing.map(describeMissing).join('\n'));
  const packages = missing.map(({ name }) => name);
  report(`installing ${packages.join(' and ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => ({ file: apt, args: ['-o', 'DPkg::Lock::Timeout=120', ...args], env });
  await runTask({ name: 'apt-update', command: aptGet('update') });
  await runTask({ name: 'apt-install', command: aptGet('install', '-y', '--no-install-recommends', ...packages) });
}

/** @throws if it is not installed */
export function locateBinary(server: Binary): string {
  const file = findBinary(server.name);
  if (!file) throw new Error(describeMissing(server));
  return file;
}

const describeMissing = ({ name, alternatives }: Binary): string =>
  `${name} is missing: "apt install ${name}", ${alternatives}`;

// Debian installs servers in sbin, which is not in the PATH of ordinary users.
const fallbackDirectories = '/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/opt/homebrew/bin';

function findBinary(name: string): string | undefined {
  const env = { PATH: `${process.env.PATH ?? ''}:${fallbackDirectories}` };
  const { stdout } = spawnSync('/bin/sh', ['-c', 'command -v "$0"', name], { env, encoding: 'utf8' });
  return stdout.trim() || undefined;
}
