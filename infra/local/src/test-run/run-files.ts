import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledPath } from '../../compile.mjs';
import { type Counts, runCommand, type Task } from './run-tasks.ts';

// tap stops a file after this time and reports the running test. If it cannot, the process is killed.
const timeoutSeconds = 900;
const killAfterMs = (timeoutSeconds + 15) * 1_000;

const program = fileURLToPath(new URL('run-group.js', import.meta.url));

/** Runs test files in one process and prints the output of failed tests. */
export const filesTask = (files: string[], environment: NodeJS.ProcessEnv): Task => ({
  name: files.join(', '),
  async run() {
    const compiled = files.map((file) => resolve(compiledPath(file)));
    const { code, output } = await runCommand(process.execPath, [program, ...compiled], {
      env: { ...environment, TAP_TIMEOUT: String(timeoutSeconds) },
      timeoutMs: killAfterMs,
    });
    const counts = readCounts(output, code);
    if (counts.failed > 0) console.log(toSources(removePassed(output)));
    return counts;
  },
});

const removePassed = (output: string): string =>
  output
    .split(/^(?=# Subtest: )/m)
    .filter((test) => /^not ok /m.test(test) || !/^ok /m.test(test))
    .join('');

/** Reads the last line of tap's output, `# { total: 12, pass: 11, fail: 1 }`. Output without any test is a failure. */
function readCounts(output: string, code: number): Counts {
  const line = [...output.matchAll(/^# \{ total: \d+.*\}/gm)].at(-1)?.[0] ?? '';
  const read = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  const [counts, skipped] = [{ passed: read('pass'), failed: read('fail') + read('todo') }, read('skip')];
  if (skipped > 0)
    console.log(`${skipped} skipped: ${[...output.matchAll(/# SKIP (.*)/g)].map(([, reason]) => reason).join('; ')}`);
  const hasFailed = code !== 0 || counts.passed + skipped === 0;
  return hasFailed && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Where tap reads the place of an assertion, it names the compiled file; the line is that of the source. Bundles stay. */
export const toSources = (output: string) =>
  output.replaceAll(
    /(?<!node_modules\/\S*)\bdist(?:-(test|acceptance))?\/(?!(?:worker-)?main\.js)([^\s():]+)\.js(?=:\d+:\d|\s+lineNumber: )/g,
    (_, folder = 'src', file) => `${folder}/${file}.ts`,
  );
