import { dirname } from 'node:path';

/** The slowest files. They start first, so that the run does not wait for one of them at its end. */
export const slowFirst = [
  'infra/recovery/test/recovery.test.ts',
  'infra/faults/test/faults.test.ts',
  'infra/recovery/test/backup-restore.test.ts',
  'services/enrollment/test/deletions.test.ts',
  'gateway/test/failures.test.ts',
  'gateway/test/key-set.test.ts',
  'gateway/test/request-body.test.ts',
  'infra/identity-provider/test/webhooks.test.ts',
  'infra/observability/test/traces.test.ts',
  'infra/docker/test/processes.test.ts',
  'packages/service/test/run-process.test.ts',
  'infra/local/test/seeding.test.ts',
  'infra/docker/test/services.test.ts',
  'gateway/test/redis-outage.test.ts',
];
/** This test checks which modules its process has loaded. */
const runAlone = ['packages/telemetry/test/tracing.test.ts'];
const maxFilesPerGroup = 6;

/**
 * Groups the files that share a process, in the order in which they start. Loading the modules of a service takes as long
 * as the tests of most files.
 */
export function groupTests(files: string[]): string[][] {
  const separate = [...slowFirst, ...runAlone].filter((file) => files.includes(file));
  const folders = new Map<string, string[]>();
  for (const file of files.filter((file) => !separate.includes(file))) {
    const folder = file.startsWith('packages/') ? 'packages' : dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...separate.map((file) => [file]), ...[...folders.values()].flatMap(splitIntoGroups)];
}

function splitIntoGroups(files: string[]): string[][] {
  const count = Math.ceil(files.length / maxFilesPerGroup);
  return Array.from({ length: count }, (_, group) => files.filter((_, index) => index % count === group));
}
