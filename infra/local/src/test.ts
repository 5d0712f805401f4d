import { cp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startPostgres } from './embedded/start-embedded.ts';
import { root } from './processes/node-process.ts';
import { findTests, groupTests, namedFiles, splitAcceptance } from './test-run/group-tests.ts';
import { createDirectory, ensureTestTools } from './test-run/prepare.ts';
import { filesTask } from './test-run/run-files.ts';
import {
  addCounts,
  type Counts,
  type Outcome,
  runCommand,
  runTasks,
  stopping,
  type Task,
} from './test-run/run-tasks.ts';
import { findUnchanged, hashSlowFolders, storePassed } from './test-run/slow-folders.ts';
import { startSystem } from './test-run/start-system.ts';

const testFolders = ['packages', 'services', 'infra', 'gateway'];
/** They wait for the browser, for media and for events most of the time. */
const acceptanceConcurrency = 2;
/** The scripts of package.json with the static checks, the slowest first. */
const checks = [
  ['dead-code'],
  ['spelling'],
  // With four checkers, its default, it needs twice the processor time.
  ['typecheck', '--', '--checkers', '1'],
  ['build-order'],
  ['imports'],
  ['lint'],
];
const isAcceptance = (file: string) => file.includes('/acceptance/');

/**
 * `npm test`: the static checks, the tests against real servers, and the acceptance tests against a system that was started
 * with `npm start`. With arguments: only those test files or folders. Outside CI, slow folders that have passed with the
 * current files are skipped, unless `--all` is given.
 */
async function main(args: string[]): Promise<Counts> {
  const selected = args.filter((arg) => arg !== '--all');
  const files = (selected.length > 0 ? selected : testFolders).flatMap(findTests).sort();
  const hashes = selected.length > 0 ? {} : hashSlowFolders(root);
  const skipped = process.env.CI || args.includes('--all') ? [] : findUnchanged(root, hashes);
  const wanted = files.filter((file) => !skipped.some((folder) => isIn(folder, file)));
  const [acceptanceFiles, otherFiles] = [wanted.filter(isAcceptance), wanted.filter((file) => !isAcceptance(file))];
  await ensureTestTools();

  const directory = await createDirectory();
  // The tests create their temporary files there too.
  process.env.TMPDIR = directory;
  const postgres = await startTestPostgres(join(directory, 'postgres'));
  const tasks = [
    ...(acceptanceFiles.length > 0 ? [acceptanceTask(acceptanceFiles, join(directory, 'system'))] : []),
    ...(selected.length > 0 ? [] : checks.map(checkTask)),
    ...groupTests(otherFiles).map((group) => filesTask(group, { TEST_POSTGRES_URL: postgres.url })),
  ];
  console.log(`${acceptanceFiles.length + otherFiles.length} test files`);
  for (const folder of skipped)
    console.log(`skipped - ${folder}: unchanged since it passed; npm test -- --all runs it`);
  try {
    // More tasks than cores, because many of them wait most of the time.
    const outcomes = await runTasks(tasks, availableParallelism() + 4);
    if (selected.length === 0) {
      reportSlowest(outcomes, files);
      const failed = outcomes.filter(({ failed }) => failed > 0).flatMap(({ name }) => name.split(', '));
      const passed = Object.entries(hashes).filter(([folder]) => !failed.some((file) => isIn(folder, file)));
      if (!stopping.aborted) storePassed(root, Object.fromEntries(passed));
    }
    return addCounts(outcomes);
  } finally {
    await postgres.stop();
    await copyLogs(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

function startTestPostgres(directory: string): Promise<Embedded> {
  // Test databases do not have to survive a crash, and live for seconds.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_connections: '400',
    // Otherwise hashing the password takes a millisecond of processor time for each connection.
    scram_iterations: '1',
  };
  return startPostgres({ directory, settings });
}

/** Each check counts as one test. */
const checkTask = ([name = '', ...args]: string[]): Task => ({
  name,
  async run() {
    const { code, output } = await runCommand('npm', ['run', '--silent', name, ...args]);
    if (code !== 0) console.log(output);
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
});

const acceptanceTask = (files: string[], directory: string): Task => ({
  name: 'acceptance tests',
  async run() {
    const system = await startSystem(directory);
    const environment = {
      ACCEPTANCE_GATEWAY_URL: system.gatewayUrl,
      ACCEPTANCE_IDP_URL: system.providerUrl,
      ACCEPTANCE_DATA_DIR: directory,
    };
    const run = (chosen: string[], concurrency: number) =>
      runTasks(
        chosen.map((file) => filesTask([file], environment)),
        concurrency,
      );
    try {
      // All use one system, so those that kill its processes run at the end, one after the other.
      const { undisturbed, disturbing } = splitAcceptance(files);
      return addCounts([...(await run(undisturbed, acceptanceConcurrency)), ...(await run(disturbing, 1))]);
    } finally {
      await system.stop();
    }
  },
});

function reportSlowest(outcomes: Outcome[], files: string[]): void {
  const slowest = outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  console.log(`\nslowest: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join('; ')}`);
  for (const missing of namedFiles.filter((file) => !files.includes(file)))
    console.log(`group-tests.ts names ${missing}, which does not exist`);
}

const isIn = (folder: string, file: string) => file.startsWith(`${folder}/`);

const copyLogs = (directory: string) =>
  cp(join(directory, 'system/logs'), 'artifacts/logs', { recursive: true }).catch(() => undefined);

try {
  const { passed, failed } = await main(process.argv.slice(2));
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
} catch (error) {
  console.error(error);
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
