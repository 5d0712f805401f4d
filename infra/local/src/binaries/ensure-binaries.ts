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
  const missing = programs.filter(({ name }) => !isInstalled(name));
  if (missing.length === 0) return;
  const packages = missing.map(({ name }) => name).join(' ');
  const hints = missing.map(({ name, alternatives }) => `${name} is missing: "apt install ${name}", ${alternatives}`);
  if (!isInstalled('apt-get') || process.getuid?.() !== 0) throw new Error(hints.join('\n'));
  report(`installing ${packages} with apt-get`);
  const aptGet = 'apt-get -o DPkg::Lock::Timeout=120';
  const script = `${aptGet} update && ${aptGet} install -y --no-install-recommends ${packages}`;
  const env = { ...environmentWithPath(), DEBIAN_FRONTEND: 'noninteractive' };
  await runTask({ name: 'apt-get', command: { file: '/bin/sh', args: ['-c', script], env } });
}

// Debian installs servers in sbin, which is not in the PATH of ordinary users.
const searchPath = `${process.env.PATH ?? ''}:/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/opt/homebrew/bin`;

/** The environment in which programs are found. */
export const environmentWithPath = () => ({ ...process.env, PATH: searchPath });

const isInstalled = (name: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'command -v "$0"', name], { env: environmentWithPath() }).status === 0;
