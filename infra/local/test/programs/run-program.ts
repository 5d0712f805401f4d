import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Test } from 'tap';
import { compiledPath } from '../../compile.mjs';
import { postgresProcess } from '../../src/processes/postgres.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const StackFile = Type.Record(
  Type.String(),
  Type.Object({
    url: Type.Optional(Type.String()),
    pid: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  }),
);

export interface Program {
  pid: number;
  output(): string;
  printed(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, or null after a signal. */
  ended: Promise<number | null>;
}

/**
 * Creates a temporary directory for servers. Unlike `t.testdir()`, it is in memory during `npm test`, where a cluster of PostgreSQL
 * takes a third of the processor time of one on a disk.
 */
export function makeDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'lms-servers-'));
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}

let cluster: Promise<string> | undefined;

/** Creates a directory like `makeDirectory` with a cluster of PostgreSQL: a copy, because creating one takes a second of processor time. */
export async function makeDirectoryWithCluster(t: Test): Promise<string> {
  cluster ??= createCluster();
  const directory = makeDirectory(t);
  await cp(await cluster, join(directory, 'postgres'), { recursive: true });
  return directory;
}

async function createCluster(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lms-cluster-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await postgresProcess({ directory, port: 0 }).command();
  return directory;
}

/** Runs a compiled TypeScript file or a JavaScript file in a child process, which is killed at the end of the test. */
export function runProgram(t: Test, file: string, args: string[], env: NodeJS.ProcessEnv = {}): Program {
  const program = join(root, compiledPath(file));
  const child = spawn(process.execPath, [program, ...args], { cwd: root, env: { ...process.env, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  t.teardown(() => child.kill('SIGKILL'));
  return {
    pid: child.pid ?? 0,
    output: () => text,
    printed: (expected) => until(() => text.includes(expected) || `"${expected}" in:\n${text}`),
    kill: (signal) => child.kill(signal),
    ended,
  };
}

const runsProcesses = 'infra/local/test/programs/run-processes.ts';

export const runProcesses = (t: Test, directory: string, ...names: string[]) =>
  runProgram(t, runsProcesses, [directory, ...names]);

/** The same, while another server listens on the port that was chosen for one of the processes. */
export const runProcessesOnTakenPort = (t: Test, directory: string, taken: string, ...names: string[]) =>
  runProgram(t, runsProcesses, [directory, ...names], { TAKEN: taken });

/** Waits until the condition returns true. Other results describe it in the error. */
export async function until(
  condition: () => boolean | string | Promise<boolean | string>,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (true) {
    const outcome = await condition();
    if (outcome === true) return;
    if (Date.now() > deadline) throw new Error(`Timed out waiting for ${outcome || 'a condition'}`);
    await pause(20);
  }
}

export function readStack(directory: string): Static<typeof StackFile> {
  return Value.Parse(StackFile, JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8')));
}

export function pidOf(directory: string, name: string): number {
  return readStack(directory)[name]?.pid ?? 0;
}

/** The pids of all processes that a program has started, its watchdog among them. */
export function childrenOf({ pid }: Program): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').map(Number);
}

/** Zombies do not count: in a container, there may be no process that reaps them. */
export const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
