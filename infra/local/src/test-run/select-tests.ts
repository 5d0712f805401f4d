import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Files, each in a process of its own, and folders, whose files share processes, in the order in which they start: the
 * slowest first, and those that wait for processes and timers beside those that calculate.
 */
const order = [
  'infra/recovery/test/recovery.test.ts',
  'infra/faults/test/faults.test.ts',
  'infra/recovery/test/backup-restore.test.ts',
  'services/media/test/',
  'gateway/test/failures.test.ts',
  'gateway/test/',
  'infra/docker/test/services.test.ts',
  'packages/service/test/run-process.test.ts',
  'services/enrollment/test/',
  // It checks which modules its process has loaded.
  'packages/telemetry/test/tracing.test.ts',
  'packages/',
  'infra/identity-provider/test/webhooks.test.ts',
  'services/content/test/',
  'infra/observability/test/traces.test.ts',
  'infra/docker/test/processes.test.ts',
  'infra/',
  'services/identity/test/',
  '',
];
/** The slowest acceptance tests, which start first. */
const slowAcceptance = [
  'packages/client/acceptance/package.test.ts',
  'gateway/acceptance/lms.test.ts',
  'packages/client/acceptance/player.test.ts',
  'packages/client/acceptance/web-example.test.ts',
  'gateway/acceptance/docs.test.ts',
  'gateway/acceptance/erasure.test.ts',
  'gateway/acceptance/deletion.test.ts',
];
/** These acceptance tests kill or freeze processes of the system that all of them use. */
const disturbingAcceptance = ['gateway/acceptance/recovery.test.ts', 'gateway/acceptance/resumable-uploads.test.ts'];
const maxFilesPerGroup = 14;

/**
 * Groups the files that share a process, in the order in which they start. Loading the modules of a service takes as long
 * as the tests of most files.
 */
export const groupTests = (files: string[]): string[][] =>
  order.flatMap((name) => {
    const longer = order.filter((other) => other.length > name.length);
    const named = files.filter((file) => file.startsWith(name) && !longer.some((other) => file.startsWith(other)));
    const count = Math.ceil(named.length / maxFilesPerGroup);
    return Array.from({ length: count }, (_, group) => named.filter((_, index) => index % count === group));
  });

/** Separates the acceptance tests that disturb all others, and puts the slowest of the others first. */
export function splitAcceptance(files: string[]): { undisturbed: string[]; disturbing: string[] } {
  const wanted = new Set(slowAcceptance.filter((file) => files.includes(file)).concat(files));
  const disturbing = disturbingAcceptance.filter((file) => wanted.delete(file));
  return { undisturbed: [...wanted], disturbing };
}

/** Folders with slow tests whose result rarely changes, with the tests of other folders that they read. */
const slowFolders: Record<string, string[]> = {
  'infra/docker': [],
  'infra/faults': [],
  'infra/kubernetes': [],
  'infra/observability': [],
  'infra/provider-guides': ['gateway/test'],
  'infra/recovery': ['services/media/test'],
  'infra/openapi/test/tools': [],
  'packages/client/acceptance': [],
};
/** Apart from their own and those tests, they may read every file but these. */
const unread = /\/(test|acceptance)\/|^docs\/(adr|guides)\/|^CHANGELOG/;

export const isIn = (folder: string, file: string) => file.startsWith(`${folder}/`);

/** For each folder, the hash of all files that its tests may read. Empty if git cannot list the files. */
export type FolderHashes = Record<string, string>;

export function hashSlowFolders(root: string, folders = slowFolders): FolderHashes {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = spawnSync('git', list, { cwd: root, encoding: 'utf8' });
  const files = stdout.split('\0').filter((file) => file && existsSync(join(root, file)));
  const contents = new Map(files.sort().map((file) => [file, hash(readFileSync(join(root, file)))]));
  const hashFolder = ([folder, others]: [string, string[]]) => {
    const isRead = (file: string) => !unread.test(file) || [folder, ...others].some((one) => isIn(one, file));
    return [folder, hash(JSON.stringify([process.version, ...[...contents].filter(([file]) => isRead(file))]))];
  };
  return files.length === 0 ? {} : Object.fromEntries(Object.entries(folders).map(hashFolder));
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

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
