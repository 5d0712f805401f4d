import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { findFiles } from '../compile.mjs';
import { createDirectory, ensureTestTools, startSystem, startTestPostgres } from './test-run/environment.ts';
import { filesTask, type Outcome, runTasks, scriptTask } from './test-run/run-tasks.ts';
import { disturbing, groupTests, isIn, passedFiles } from './test-run/select-tests.ts';

/** The static checks, the slowest first. */
const checks = ['spelling', 'typecheck', 'imports', 'dead-code', 'lint', 'build-order'];
const root = process.cwd();

/**
 * `npm test`: the static checks, the tests against real servers, and the acceptance tests against a system that was started
 * with `npm start`. With arguments: only those test files or folders. Outside CI, slow folders that have passed with the
 * current files are skipped, unless `--all` is given.
 */
async function main(args: string[]): Promise<Outcome[]> {
  const selected = args.filter((arg) => arg !== '--all').map((arg) => relative(root, arg));
  const isComplete = selected.length === 0;
  const isSelected = (file: string) => isComplete || selected.some((one) => one === file || isIn(one, file));
  const slowFolders = isComplete ? [...passedFiles(root)] : [];
  const isSkipped = ([, passed]: [string, string]) => existsSync(passed) && !process.env.CI && !args.includes('--all');
  const skipped = slowFolders.filter(isSkipped).map(([folder]) => folder);
  const wanted = findFiles(root, ['test', 'acceptance'])
    .filter((file) => file.endsWith('.test.ts') && isSelected(file) && !skipped.some((folder) => isIn(folder, file)))
    .sort();
  const acceptance = groupTests(wanted.filter((file) => file.includes('/acceptance/'))).flat();
  const groups = groupTests(wanted.filter((file) => !file.includes('/acceptance/')));

  const directory = await createDirectory();
  // The tests create their temporary files there too.
  process.env.TMPDIR = directory;
  try {
    await ensureTestTools();
    const postgres = await startTestPostgres(join(directory, 'postgres'));
    const environment = { TEST_POSTGRES_URL: postgres.url };
    const tests = groups.map((group) => filesTask(group, environment));
    console.log(`${wanted.length} test files`);
    for (const folder of skipped)
      console.log(`skipped - ${folder}: unchanged since it passed; npm test -- --all runs it`);
    const running = [
      // More tasks than cores, because many of them wait most of the time.
      runTasks([...(isComplete ? checks.map(scriptTask) : []), ...tests], availableParallelism() + 3),
      runAcceptance(acceptance, join(directory, 'system')),
    ];
    const outcomes = (await Promise.all(running)).flat();
    await postgres.stop();
    if (!isComplete) return outcomes;
    const slowest = outcomes.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
    console.log(`\nslowest: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join('; ')}`);
    const failed = outcomes.filter(({ failed }) => failed > 0).flatMap(({ name }) => name.split(', '));
    for (const [folder, passed] of slowFolders) {
      if (failed.some((file) => isIn(folder, file))) continue;
      await mkdir(dirname(passed), { recursive: true });
      await writeFile(passed, '');
    }
    return outcomes;
  } finally {
    await cp(join(directory, 'system/logs'), 'artifacts/logs', { recursive: true }).catch(() => undefined);
    await rm(directory, { recursive: true, force: true });
  }
}

async function runAcceptance(files: string[], directory: string): Promise<Outcome[]> {
  if (files.length === 0) return [];
  try {
    const { environment, stop } = await startSystem(directory);
    const run = (isDisturbing: boolean, concurrency: number) => {
      const chosen = files.filter((file) => disturbing.includes(file) === isDisturbing);
      return runTasks(
        chosen.map((file) => filesTask([file], environment)),
        concurrency,
      );
    };
    // They wait for the browser, for media and for events most of the time. All use one system, so those that disturb the
    // others run at the end, one after the other.
    const outcomes = [...(await run(false, 2)), ...(await run(true, 1))];
    await stop();
    return outcomes;
  } catch (error) {
    console.error(error);
    return [{ name: files.join(', '), passed: 0, failed: 1, seconds: 0 }];
  }
}

const outcomes = await main(process.argv.slice(2)).catch((error): Outcome[] => {
  console.error(error);
  return [{ name: '', passed: 0, failed: 1, seconds: 0 }];
});
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
