import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** These acceptance tests kill or freeze processes of the system that all of them use. */
export const disturbing = ['gateway/acceptance/recovery.test.ts', 'gateway/acceptance/resumable-uploads.test.ts'];

/**
 * Files, each in a process of its own, and folders, whose files share processes, in the order in which they start: the
 * slowest first, and those that wait for processes and timers beside those that calculate.
 */
const order = [
  'infra/recovery/test/recovery.test.ts',
  'infra/faults/',
  'infra/recovery/',
  'services/media/test/',
  'gateway/test/failures.test.ts',
  'gateway/test/',
  'infra/',
  'packages/service/test/run-process.test.ts',
  'services/enrollment/test/',
  // It checks which modules its process has loaded.
  'packages/telemetry/test/tracing.test.ts',
  'packages/',
  'services/content/test/',
  'services/identity/test/',
  'packages/client/acceptance/',
  'gateway/acceptance/lms.test.ts',
  'gateway/acceptance/docs.test.ts',
  'gateway/acceptance/erasure.test.ts',
  '',
];
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
const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];

export const isIn = (folder: string, file: string) => file.startsWith(`${folder}/`);
const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/**
 * For each folder, a file that exists if its tests have passed with the current files: its name is their hash. Empty if git cannot
 * list them.
 */
export function passedFiles(root: string, folders = slowFolders): Map<string, string> {
  const { stdout } = spawnSync('git', list, { cwd: root, encoding: 'utf8' });
  const files = stdout.split('\0').filter((file) => file && existsSync(join(root, file)));
  if (files.length === 0) return new Map();
  const contents = files.sort().map((file) => [file, hash(readFileSync(join(root, file)))] as const);
  const pathOf = ([folder, others]: [string, string[]]) => {
    const isRead = (file: string) => !unread.test(file) || [folder, ...others].some((one) => isIn(one, file));
    const name = hash(JSON.stringify([process.version, folder, ...contents.filter(([file]) => isRead(file))]));
    return [folder, join(root, 'node_modules/.cache/passed', name)] as const;
  };
  return new Map(Object.entries(folders).map(pathOf));
}
