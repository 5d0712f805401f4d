import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The sources of all processes. */
const system = [
  'gateway/src/*',
  'gateway/openapi.json',
  'services/*/src/*',
  'services/*/migrations/*',
  'packages/*',
  'infra/identity-provider/src/*',
  'infra/local/*',
  '*package.json',
  'pnpm-*.yaml',
  'patches/*',
  'tsconfig.base.json',
];

/** Folders with slow tests whose result rarely changes, with the other files that they read, as git patterns. */
const slowFolders: Record<string, string[]> = {
  'infra/docker': [
    ...system,
    'docker-compose.yml',
    '.env.example',
    'infra/nats/*',
    'infra/observability/prometheus.yml',
  ],
  'infra/faults': system,
  'infra/kubernetes': [...system, 'ARCHITECTURE.md'],
  // Its tests start the processes of the compose file.
  'infra/observability': [...system, 'docs/operations/*', 'docker-compose.yml', 'infra/docker/*'],
  'infra/provider-guides': [...system, 'docs/identity-providers/*', 'gateway/test/*'],
  'infra/recovery': [...system, 'services/media/test/*'],
  'infra/openapi/test/tools': ['gateway/openapi.json', 'infra/openapi/redocly.yaml', 'pnpm-*.yaml'],
  // The gateway's own acceptance tests cover the rest of the system.
  'packages/client/acceptance': ['packages/client/*', 'gateway/openapi.json', 'pnpm-*.yaml', 'LICENSE'],
};

/** For each folder, the hash of all files that its tests read. */
export type FolderHashes = Record<string, string>;

/** Returns an empty object if git cannot list the files. */
export function hashSlowFolders(root: string, folders = slowFolders): FolderHashes {
  try {
    return Object.fromEntries(
      Object.entries(folders).map(([folder, patterns]) => [folder, hashFiles(root, [`${folder}/*`, ...patterns])]),
    );
  } catch {
    return {};
  }
}

function hashFiles(root: string, patterns: string[]): string {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...patterns];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\0').filter(Boolean);
  const hash = createHash('sha256').update(process.version);
  for (const file of files.sort()) {
    const path = join(root, file);
    hash.update(`\0${file}\0`).update(existsSync(path) ? readFileSync(path) : 'removed');
  }
  return hash.digest('hex');
}

const cacheFileOf = (root: string) => join(root, 'node_modules/.cache/slow-folders.json');

function readPassed(root: string): FolderHashes {
  const file = cacheFileOf(root);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Returns the folders whose tests have passed with the current files. */
export function findUnchanged(root: string, hashes: FolderHashes): string[] {
  const passed = readPassed(root);
  return Object.keys(hashes).filter((folder) => hashes[folder] === passed[folder]);
}

export function storePassed(root: string, hashes: FolderHashes): void {
  const file = cacheFileOf(root);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...readPassed(root), ...hashes }));
}
