import { readFileSync } from 'node:fs';
import type { Task } from '../supervisor/part.ts';
import { findBinary } from './find-binary.ts';

export interface Binary {
  name: string;
  aptPackage: string;
  brewFormula: string;
  docker: string;
}

export const natsServer: Binary = {
  name: 'nats-server',
  aptPackage: 'nats-server',
  brewFormula: 'nats-server',
  docker: '"docker run -p 4222:4222 nats -js" with NATS_URL=nats://127.0.0.1:4222',
};

export const redisServer: Binary = {
  name: 'redis-server',
  aptPackage: 'redis-server',
  brewFormula: 'redis',
  docker: '"docker run -p 6379:6379 redis --appendonly yes" with REDIS_URL=redis://127.0.0.1:6379',
};

/** What the tests look at pages with. */
export const chromium: Binary = {
  name: 'chromium',
  aptPackage: 'chromium',
  brewFormula: '--cask chromium',
  docker: 'CHROMIUM_PATH naming another one',
};

interface Machine {
  path: string;
  report(line: string): void;
  runTask(task: Task): Promise<void>;
}

/** Installs missing programs where apt and root make that possible; throws an error that names the packages elsewhere. */
export async function ensureBinaries(programs: Binary[], { path, report, runTask }: Machine): Promise<void> {
  const missing = programs.filter(({ name }) => !findBinary(name, path));
  if (missing.length === 0) return;
  const apt = findBinary('apt-get', path);
  if (!apt || process.getuid?.() !== 0 || !isDebian()) throw new Error(explain(missing));
  const packages = missing.map(({ aptPackage }) => aptPackage);
  report(`installing ${packages.join(' and ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const patiently = ['-o', 'DPkg::Lock::Timeout=120'];
  await runTask({ name: 'apt-update', command: { file: apt, args: [...patiently, 'update'], env } });
  const install = [...patiently, 'install', '-y', '--no-install-recommends', ...packages];
  await runTask({ name: 'apt-install', command: { file: apt, args: install, env } });
}

/** @throws when it is nowhere to be found */
export function locateBinary(server: Binary, path: string): string {
  const file = findBinary(server.name, path);
  if (!file) throw new Error(explain([server]));
  return file;
}

function explain(missing: Binary[]): string {
  return missing
    .map(
      ({ name, aptPackage, brewFormula, docker }) =>
        `${name} is missing: "apt install ${aptPackage}", "brew install ${brewFormula}", or ${docker}`,
    )
    .join('\n');
}

function isDebian(): boolean {
  try {
    return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}
