import { readdirSync, statSync } from 'node:fs';
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
/** These acceptance tests kill or freeze processes of the system. */
const disturbingAcceptance = ['gateway/acceptance/recovery.test.ts', 'gateway/acceptance/resumable-uploads.test.ts'];
/** All files that are named here. */
export const namedFiles = [...order, ...slowAcceptance, ...disturbingAcceptance].filter((name) => name.endsWith('.ts'));
const maxFilesPerGroup = 14;

/** Returns a test file, or all test files in a folder. */
export function findTests(fileOrFolder: string): string[] {
  if (statSync(fileOrFolder).isFile()) return fileOrFolder.endsWith('.test.ts') ? [fileOrFolder] : [];
  const entries = readdirSync(fileOrFolder).filter((name) => name !== 'node_modules' && !name.startsWith('dist'));
  return entries.map((name) => join(fileOrFolder, name)).flatMap(findTests);
}

/**
 * Groups the files that share a process, in the order in which they start. Loading the modules of a service takes as long
 * as the tests of most files.
 */
export function groupTests(files: string[]): string[][] {
  const groups = new Map<string, string[]>(order.map((name) => [name, []]));
  for (const file of files) {
    const [name = dirname(file)] = order
      .filter((start) => file.startsWith(start))
      .toSorted((a, b) => b.length - a.length);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return [...groups.values()].flatMap(splitIntoGroups);
}

function splitIntoGroups(files: string[]): string[][] {
  const count = Math.ceil(files.length / maxFilesPerGroup);
  return Array.from({ length: count }, (_, group) => files.filter((_, index) => index % count === group));
}

/** Separates the acceptance tests that disturb all others, and puts the slowest of the others first. */
export function splitAcceptance(files: string[]): { undisturbed: string[]; disturbing: string[] } {
  const first = slowAcceptance.filter((file) => files.includes(file));
  const others = files.filter((file) => ![...slowAcceptance, ...disturbingAcceptance].includes(file));
  return {
    undisturbed: [...first, ...others],
    disturbing: disturbingAcceptance.filter((file) => files.includes(file)),
  };
}
