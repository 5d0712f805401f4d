import { cp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startPostgres } from './embedded/start-embedded.ts';
import { root } from './processes/node-process.ts';
import { findTests, groupTests, namedFiles, splitAcceptance } from './test-run/group-tests.ts';
import { createDirectory, ensureTestTools } from './test-run/prepare.ts';
import { checkTasks } from './test-run/run-checks.ts';
import { filesTask, needsPostgres } from './test-run/run-files.ts';
import { addCounts, type Counts, type Outcome, runTasks, stopping, type Task } from './test-run/run-tasks.ts';
import { findUnchanged, hashSlowFolders, storePassed } from './test-run/slow-folders.ts';
import { startSystem } from './test-run/start-system.ts';

const testFolders = ['packages', 'services', 'infra', 'gateway'];
/** They wait for the browser, for media and for events most of the time. */
const acceptanceConcurrency = 2;
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
  let postgres: Promise<Embedded> | undefined;
  const groupTask = (group: string[]): Task => {
    const task = filesTask(group, {});
    if (!group.some((file) => needsPostgres(file))) return task;
    return {
      ...task,
      async run() {
        postgres ??= startTestPostgres(join(directory, 'postgres'));
        return filesTask(group, { TEST_POSTGRES_URL: (await postgres).url }).run();
      },
    };
  };
  const tasks = [
    ...(acceptanceFiles.length > 0 ? [acceptanceTask(acceptanceFiles, join(directory, 'system'))] : []),
    ...(selected.length > 0 ? [] : checkTasks),
    ...groupTests(otherFiles).map(groupTask),
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
    await (await postgres?.catch(() => undefined))?.stop();
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
