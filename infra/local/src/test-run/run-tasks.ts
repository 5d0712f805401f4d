import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

// How long the output of a command that has ended may take.
const outputMs = 5_000;

const running = new Set<ChildProcess>();
const stop = new AbortController();

/** Aborted when the test run receives a signal to stop. */
export const stopping = stop.signal;

// A signal also stops the child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stop.abort();
    for (const child of running) child.kill('SIGTERM');
    process.exitCode = 1;
  });

export interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  /** The command is killed after this time. There is no timeout by default. */
  timeoutMs?: number;
}

/** Runs a command and returns its exit code and output. */
export async function runCommand(
  file: string,
  args: string[],
  { env = {}, timeoutMs = 0 }: CommandOptions = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = once(child, 'close').catch(() => undefined);
  const [code] = await once(child, 'exit').finally(() => running.delete(child));
  // A process that it has left behind may keep the pipes open.
  await Promise.race([closed, pause(outputMs, undefined, { ref: false })]);
  return { code: code ?? 1, output: Buffer.concat(chunks).toString() };
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
export async function runTasks(tasks: Task[], concurrency: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = tasks.values();
  const work = async () => {
    for (const { name, run } of queue) {
      if (stopping.aborted) return;
      const startedAt = performance.now();
      const { passed, failed } = await run().catch((error: unknown) => {
        console.error(error);
        return { passed: 0, failed: 1 };
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      console.log(`${failed === 0 ? 'ok' : 'not ok'} - ${name} (${passed} passed, ${seconds.toFixed(1)} s)`);
      outcomes.push({ name, passed, failed, seconds });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return outcomes;
}

export const addCounts = (counts: Counts[]): Counts =>
  counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
