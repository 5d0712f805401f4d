import { resolve } from 'node:path';
import { compiledPath } from '../../compile.mjs';
import { root } from '../parts/node-part.ts';
import { findTests } from './find-tests.ts';
import { runCommand } from './run-command.ts';

export interface Counts {
  passed: number;
  failed: number;
}

export const addCounts = (counts: Counts[]): Counts =>
  counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });

// tap itself ends a file that takes too long and names the test; a process that cannot even do that is killed.
const timeoutSeconds = 300;
const killAfterMs = (timeoutSeconds + 15) * 1_000;

/**
 * Runs the test files below the given places, each in a process of its own.
 * @param jobs files at once; many of them wait most of the time, so there are more than cores
 */
export async function runFiles(places: string[], env: NodeJS.ProcessEnv, jobs = 3): Promise<Counts> {
  const files = (await Promise.all(places.map(findTests))).flat().sort();
  console.log(`\n── tests: ${files.length} files in ${places.join(', ')}`);
  if (files.length === 0) return { passed: 0, failed: 1 };
  const queue = files.values();
  const counts: Counts[] = [];
  const work = async () => {
    for (const file of queue) counts.push(await runFile(file, env));
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return addCounts(counts);
}

/** Prints one line for a file that passes, and everything that a file said that fails. */
async function runFile(file: string, env: NodeJS.ProcessEnv): Promise<Counts> {
  const startedAt = performance.now();
  // With the maps, failures and stack traces name the lines of the TypeScript file.
  const { code, output } = await runCommand(
    process.execPath,
    ['--enable-source-maps', compiledPath(root, resolve(file))],
    { env: { ...env, TAP_TIMEOUT: String(timeoutSeconds) }, timeoutMs: killAfterMs, show: () => undefined },
  );
  const counts = countOf(output, code);
  const took = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  if (counts.failed > 0) console.log(output);
  console.log(`${counts.failed > 0 ? 'not ok' : 'ok'} - ${file} (${counts.passed} passed, ${took})`);
  return counts;
}

/** Reads tap's closing line, `# { total: 12, pass: 11, fail: 1 }`. A file that counted nothing is a failure. */
function countOf(output: string, code: number): Counts {
  const line = [...output.matchAll(/^# \{ total: \d+.*\}/gm)].at(-1)?.[0] ?? '';
  const read = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  const [counts, skipped] = [{ passed: read('pass'), failed: read('fail') + read('todo') }, read('skip')];
  if (skipped > 0)
    console.log(`${skipped} skipped: ${[...output.matchAll(/# SKIP (.*)/g)].map(([, why]) => why).join('; ')}`);
  const wentWrong = code !== 0 || counts.passed + skipped === 0;
  return wentWrong && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
