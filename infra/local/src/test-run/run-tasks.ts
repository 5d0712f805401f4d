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

interface Command {
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** The command is killed after this time. There is no timeout by default. */
  timeoutMs?: number;
}

/** Starts a command. Its output is a file, so a process that it leaves behind does not delay its end. */
export function startCommand({ args: [file = '', ...args], env = {}, timeoutMs = 0 }: Command) {
  const path = join(tmpdir(), `output-${randomUUID()}`);
  const output = openSync(path, 'w');
  const options = { env: { ...process.env, ...env }, timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
  const child = spawn(file, args, { ...options, stdio: ['ignore', output, output] });
  closeSync(output);
  running.add(child);
  const exited = once(child, 'exit').then(([code]): number => {
    running.delete(child);
    return code ?? 1;
  });
  return { child, exited, output: () => readFileSync(path, 'utf8') };
}

interface Task extends Command {
  name: string;
  /** It counts as one test, and its output is not that of tap. */
  isScript?: boolean;
}

/** A script of package.json. */
export const scriptTask = (name: string): Task => ({ name, args: ['npm', 'run', '--silent', name], isScript: true });

// tap stops a file after this time and reports the running test. If it cannot, the process is killed.
const timeoutSeconds = 900;
const program = fileURLToPath(new URL('run-group.js', import.meta.url));

/** Test files that run in one process. */
export const filesTask = (files: string[], environment: NodeJS.ProcessEnv): Task => ({
  name: files.join(', '),
  args: [process.execPath, program, ...files.map((file) => resolve(compiledPath(file)))],
  env: { ...environment, TAP_TIMEOUT: String(timeoutSeconds) },
  timeoutMs: (timeoutSeconds + 15) * 1_000,
});

export type Outcome = Awaited<ReturnType<typeof runTask>>;

/** Starts the tasks in their order, with limited concurrency, and prints the output of failed ones. */
export const runTasks = (tasks: Task[], concurrency: number): Promise<Outcome[]> =>
  pLimit(concurrency).map(tasks, runTask);

async function runTask({ name, isScript, ...command }: Task) {
  if (stopping) return { name, passed: 0, failed: 1, seconds: 0 };
  const startedAt = performance.now();
  const { exited, output } = startCommand(command);
  const code = await exited;
  const { passed, failed } = isScript
    ? { passed: Number(code === 0), failed: Number(code !== 0) }
    : count(output(), code);
  if (failed > 0) console.log(toSources(removePassed(output())));
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${failed === 0 ? 'ok' : 'not ok'} - ${name} (${passed} passed, ${seconds.toFixed(1)} s)`);
  return { name, passed, failed, seconds };
}

const removePassed = (output: string): string =>
  output
    .split(/^(?=# Subtest: )/m)
    .filter((test) => /^not ok /m.test(test) || !/^ok /m.test(test))
    .join('');

/** Reads the last line of tap's output, `# { total: 12, pass: 11, fail: 1 }`. Output without any test is a failure. */
function count(output: string, code: number) {
  const line = output.match(/^# \{ total: \d+.*\}/gm)?.at(-1) ?? '';
  const read = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  const [passed, failed, skipped] = [read('pass'), read('fail') + read('todo'), read('skip')];
  if (skipped > 0) console.log(`${skipped} skipped: ${output.match(/(?<=# SKIP ).*/g)?.join('; ')}`);
  return { passed, failed: code !== 0 || passed + skipped === 0 ? Math.max(failed, 1) : failed };
}

/** Where tap reads the place of an assertion, it names the compiled file; the line is that of the source. Bundles stay. */
export const toSources = (output: string) =>
  output.replaceAll(
    /(?<!node_modules\/\S*)\bdist(?:-(test|acceptance))?\/(?!(?:(?:worker-)?main|migrate|operator|start|backup|restore)\.js)([^\s():]+)\.js(?=:\d+:\d|\s+lineNumber: )/g,
    (_, folder = 'src', file) => `${folder}/${file}.ts`,
  );
