import { findTests } from './find-tests.ts';
import { runCommand } from './run-command.ts';
import { createTapView } from './tap-view.ts';

export interface Counts {
  passed: number;
  failed: number;
}

export const addCounts = (counts: Counts[]): Counts =>
  counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });

/**
 * Runs the test files below the given places with tap. A run that counted nothing is a failure.
 * @param jobs files at once; many of them wait most of the time, so there are more than cores
 */
export async function runTap(places: string[], env: NodeJS.ProcessEnv, jobs = 3): Promise<Counts> {
  const files = (await Promise.all(places.map(findTests))).flat().sort();
  console.log(`\n── tests: ${files.length} files in ${places.join(', ')}`);
  if (files.length === 0) return { passed: 0, failed: 1 };
  const tap = ['--reporter=tap', `--jobs=${jobs}`, ...files];
  const { code, output } = await runCommand('node_modules/.bin/tap', tap, { env, show: createTapView() });
  return countOf(output, code);
}

/** Reads tap's closing line, `# { total: 12, pass: 11, fail: 1 }`. */
function countOf(output: string, code: number): Counts {
  const line = [...output.matchAll(/# \{ total: \d+.*\}/g)].at(-1)?.[0] ?? '';
  const read = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  const counts = { passed: read('pass'), failed: read('fail') + read('todo') };
  if (read('skip') > 0) console.log(`${read('skip')} skipped: each says why`);
  const wentWrong = code !== 0 || counts.passed === 0;
  return wentWrong && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
