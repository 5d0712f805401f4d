import { dirname } from 'node:path';

/** The slowest files. They start first, so that the run does not wait for one of them at its end. */
const slowFirst = [
  'infra/recovery/test/recovery.test.ts',
  'infra/faults/test/faults.test.ts',
  'infra/recovery/test/backup-restore.test.ts',
  'gateway/test/failures.test.ts',
  'infra/identity-provider/test/webhooks.test.ts',
  'infra/observability/test/traces.test.ts',
  'infra/docker/test/processes.test.ts',
  'packages/service/test/run-process.test.ts',
  'infra/docker/test/services.test.ts',
];
/** The files of each share processes; those with the slowest groups start first. */
const slowFolders = [
  'services/media/test',
  'gateway/test',
  'packages/',
  'services/enrollment/test',
  'infra/',
  'services/content/test',
];
/** The slowest acceptance tests, which start first. */
const slowAcceptance = [
  'packages/client/acceptance/player.test.ts',
  'gateway/acceptance/erasure.test.ts',
  'packages/client/acceptance/package.test.ts',
  'gateway/acceptance/lms.test.ts',
  'gateway/acceptance/deletion.test.ts',
  'packages/client/acceptance/web-example.test.ts',
];
/** These acceptance tests kill or freeze processes of the system. */
const disturbingAcceptance = ['gateway/acceptance/recovery.test.ts', 'gateway/acceptance/resumable-uploads.test.ts'];
/** This test checks which modules its process has loaded. */
const runAlone = ['packages/telemetry/test/tracing.test.ts'];
/** All files that are named here. */
export const namedFiles = [...slowFirst, ...slowAcceptance, ...disturbingAcceptance, ...runAlone];
const maxFilesPerGroup = 14;

/**
 * Groups the files that share a process, in the order in which they start. Loading the modules of a service takes as long
 * as the tests of most files.
 */
export function groupTests(files: string[]): string[][] {
  const separate = [...slowFirst, ...runAlone].filter((file) => files.includes(file));
  const folders = new Map<string, string[]>(slowFolders.map((folder) => [folder, []]));
  for (const file of files.filter((file) => !separate.includes(file))) {
    const folder = slowFolders.find((prefix) => file.startsWith(prefix)) ?? dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...separate.map((file) => [file]), ...[...folders.values()].flatMap(splitIntoGroups)];
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
