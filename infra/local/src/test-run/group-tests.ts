import { dirname } from 'node:path';

/** They start first, so that none of the long ones is left over for the end. */
export const slowFirst = [
  'infra/recovery/test/recovery.test.ts',
  'infra/recovery/test/refusals.test.ts',
  'services/enrollment/test/deletions.test.ts',
  'gateway/test/failures.test.ts',
  'gateway/test/key-set.test.ts',
  'gateway/test/request-body.test.ts',
  'infra/identity-provider/test/webhooks.test.ts',
  'infra/observability/test/traces.test.ts',
  'infra/docker/test/processes.test.ts',
  'packages/service/test/run-process.test.ts',
];
/** It looks at what its process has loaded. */
const alone = ['packages/telemetry/test/tracing.test.ts'];
const mostInGroup = 6;

/**
 * The files that share a process, in the order in which they start: loading the modules of a service costs as much as
 * most files' tests do.
 */
export function groupTests(files: string[]): string[][] {
  const single = [...slowFirst, ...alone].filter((file) => files.includes(file));
  const folders = new Map<string, string[]>();
  for (const file of files.filter((file) => !single.includes(file))) {
    const folder = file.startsWith('packages/') ? 'packages' : dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...single.map((file) => [file]), ...[...folders.values()].flatMap(inGroups)];
}

function inGroups(files: string[]): string[][] {
  const count = Math.ceil(files.length / mostInGroup);
  return Array.from({ length: count }, (_, group) => files.filter((_, index) => index % count === group));
}
