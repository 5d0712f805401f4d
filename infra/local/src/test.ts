import { cp, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startPostgres } from './embedded/start-embedded.ts';
import { ensureTestTools } from './test-run/ensure-test-tools.ts';
import { findTests } from './test-run/find-tests.ts';
import { groupTests, slowFirst } from './test-run/group-tests.ts';
import { checkTasks } from './test-run/run-checks.ts';
import { filesTask, needsPostgres } from './test-run/run-files.ts';
import { type Counts, runTasks, type Task } from './test-run/run-tasks.ts';
import { startSystem } from './test-run/start-system.ts';

const places = ['packages', 'services', 'infra', 'gateway'];
const blackBox = 'gateway/acceptance';

/**
 * `npm test`: what CI runs. Types, dead code, import rules and format; the tests against real servers; and the whole
 * system, started as a user starts it and looked at from outside. With arguments: only those test files.
 */
async function main(chosen: string[]): Promise<Counts> {
  const files = (await Promise.all((chosen.length > 0 ? chosen : places).map(findTests))).flat().sort();
  const outer = files.filter((file) => file.includes(blackBox));
  const inner = files.filter((file) => !file.includes(blackBox));
  await ensureTestTools();

  const directory = await mkdtemp(join(tmpdir(), 'lms-test-'));
  let postgres: Promise<Embedded> | undefined;
  const innerTask = (group: string[]): Task => {
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
    ...(outer.length > 0 ? [acceptanceTask(outer, join(directory, 'system'))] : []),
    ...(chosen.length > 0 ? [] : checkTasks),
    ...groupTests(inner).map(innerTask),
  ];
  console.log(`${files.length} test files`);
  try {
    // Many of them wait most of the time, so there are more than cores.
    const { seconds, ...counts } = await runTasks(tasks, availableParallelism() + 2);
    if (chosen.length === 0) reportSlowest(seconds);
    return counts;
  } finally {
    await (await postgres?.catch(() => undefined))?.stop();
    await keepLogs(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

function startTestPostgres(directory: string): Promise<Embedded> {
  // Tests make and drop databases by the dozen; nothing of them has to survive a crash.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };
  return startPostgres({ directory, settings });
}

const acceptanceTask = (files: string[], directory: string): Task => ({
  name: 'the whole system',
  async run() {
    const system = await startSystem(directory);
    const where = {
      ACCEPTANCE_GATEWAY_URL: system.gatewayUrl,
      ACCEPTANCE_IDP_URL: system.providerUrl,
      ACCEPTANCE_DATA_DIR: directory,
    };
    try {
      // One file after the other: they share a system, and one of them ends its processes.
      const tasks = files.map((file) => filesTask([file], where));
      return await runTasks(tasks, 1);
    } finally {
      await system.stop();
    }
  },
});

function reportSlowest(seconds: Map<string, number>): void {
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, 10);
  console.log(`\nslowest: ${slowest.map(([name, took]) => `${name} ${took.toFixed(0)} s`).join(', ')}`);
  for (const gone of slowFirst.filter((file) => !seconds.has(file)))
    console.log(`slowFirst names ${gone}, which is gone`);
}

const keepLogs = (directory: string) =>
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
