import { spawnSync } from 'node:child_process';
import type { Task } from '../supervisor/process.ts';

/** Programs that have the name of their package of apt, and how to get them without apt. */
const alternatives = {
  'nats-server':
    '"brew install nats-server", or "docker run -p 4222:4222 nats -js" with NATS_URL=nats://127.0.0.1:4222',
  'redis-server':
    '"brew install redis", or "docker run -p 6379:6379 redis --appendonly yes" with REDIS_URL=redis://127.0.0.1:6379',
  // It makes the renditions of videos.
  ffmpeg: '"brew install ffmpeg", or a static build of ffmpeg and ffprobe in PATH',
  // The browser of the tests.
  chromium: '"brew install --cask chromium", or CHROMIUM_PATH with the path of another Chromium',
};
export type Binary = keyof typeof alternatives;

/** Installs missing programs with apt if there is one and this process is root; otherwise throws an error that names the packages. */
export async function ensureBinaries(
  programs: Binary[],
  { report, runTask }: { report(line: string): void; runTask(task: Task): Promise<void> },
): Promise<void> {
  const missing = programs.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const hints = missing.map((name) => `${name} is missing: "apt install ${name}", ${alternatives[name]}`);
  if (!isInstalled('apt-get') || process.getuid?.() !== 0) throw new Error(hints.join('\n'));
  report(`installing ${missing.join(' and ')} with apt-get`);
  const env = { ...environmentWithPath(), DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => ({ file: 'apt-get', args: ['-o', 'DPkg::Lock::Timeout=120', ...args], env });
  await runTask({ name: 'apt-update', command: aptGet('update') });
  await runTask({ name: 'apt-install', command: aptGet('install', '-y', '--no-install-recommends', ...missing) });
}

// Debian installs servers in sbin, which is not in the PATH of ordinary users.
const searchPath = `${process.env.PATH ?? ''}:/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/opt/homebrew/bin`;

/** The environment in which programs are found. */
export const environmentWithPath = () => ({ ...process.env, PATH: searchPath });

const isInstalled = (name: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'command -v "$0"', name], { env: environmentWithPath() }).status === 0;
