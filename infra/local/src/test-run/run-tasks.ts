import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { compiledPath } from '../../compile.mjs';

const running = new Set<ChildProcess>();
let stopping = false;

// A signal also stops the child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopping = true;
    for (const child of running) child.kill('SIGTERM');
  });

export interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  /** The command is killed after this time. There is no timeout by default. */
  timeoutMs?: number;
}

/** Starts a command. Its output is a file, so a process that it leaves behind does not delay its end. */
export function startCommand(file: string, args: string[], { env = {}, timeoutMs = 0 }: CommandOptions = {}) {
  const path = join(tmpdir(), `output-${randomUUID()}`);
  const output = openSync(path, 'w');
  const child = spawn(file, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  closeSync(output);
  running.add(child);
  const exited = once(child, 'exit').then(([code]): number => {
    running.delete(child);
    return code ?? 1;
  });
  return { child, exited, output: () => readFileSync(path, 'utf8') };
}

export interface Counts {
  passed: number;
  failed: number;
}

export interface Task {
  name: string;
  run(): Promise<Counts>;
}

export interface Outcome extends Counts {
  name: string;
  seconds: number;
}

/** Starts the tasks in their order, with limited concurrency. */
export const runTasks = (tasks: Task[], concurrency: number): Promise<Outcome[]> =>
  pLimit(concurrency).map(tasks, async ({ name, run }) => {
    if (stopping) return { name, passed: 0, failed: 1, seconds: 0 };
    const startedAt = performance.now();
    const counts = await run().catch((error: unknown) => {
      console.error(error);
      return { passed: 0, failed: 1 };
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const result = counts.failed === 0 ? 'ok' : 'not ok';
    console.log(`${result} - ${name} (${counts.passed} passed, ${seconds.toFixed(1)} s)`);
    return { name, ...counts, seconds };
  });

export const addCounts = (counts: Counts[]): Counts => {
  const sum = (key: keyof Counts) => counts.reduce((total, count) => total + count[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
};

/** A script of package.json. It counts as one test. */
export const scriptTask = (name: string): Task => ({
  name,
  async run() {
    const { exited, output } = startCommand('npm', ['run', '--silent', name]);
    if ((await exited) === 0) return { passed: 1, failed: 0 };
    console.log(output());
    return { passed: 0, failed: 1 };
  },
});

// tap stops a file after this time and reports the running test. If it cannot, the process is killed.
const timeoutSeconds = 900;
const killAfterMs = (timeoutSeconds + 15) * 1_000;
const program = fileURLToPath(new URL('run-group.js', import.meta.url));

/** Runs test files in one process and prints the output of failed tests. */
export const filesTask = (files: string[], environment: NodeJS.ProcessEnv): Task => ({
  name: files.join(', '),
  async run() {
    const env = { ...environment, TAP_TIMEOUT: String(timeoutSeconds) };
    const compiled = files.map((file) => resolve(compiledPath(file)));
    const { exited, output } = startCommand(process.execPath, [program, ...compiled], { env, timeoutMs: killAfterMs });
    const code = await exited;
    const counts = readCounts(output(), code);
    if (counts.failed > 0) console.log(toSources(removePassed(output())));
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
  const line = output.match(/^# \{ total: \d+.*\}/gm)?.at(-1) ?? '';
  const read = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  const [passed, failed, skipped] = [read('pass'), read('fail') + read('todo'), read('skip')];
  if (skipped > 0) console.log(`${skipped} skipped: ${output.match(/(?<=# SKIP ).*/g)?.join('; ')}`);
  return { passed, failed: code !== 0 || passed + skipped === 0 ? Math.max(failed, 1) : failed };
}

/** Where tap reads the place of an assertion, it names the compiled file; the line is that of the source. Bundles stay. */
export const toSources = (output: string) =>
  output.replaceAll(
    /(?<!node_modules\/\S*)\bdist(?:-(test|acceptance))?\/(?!(?:worker-)?main\.js)([^\s():]+)\.js(?=:\d+:\d|\s+lineNumber: )/g,
    (_, folder = 'src', file) => `${folder}/${file}.ts`,
  );
