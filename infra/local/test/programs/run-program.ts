import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Test } from 'tap';
import { compiledPath } from '../../compile.mjs';
import { LockHolder } from '../../src/supervisor/directory-lock.ts';
import { identify } from '../../src/supervisor/process-identity.ts';

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

/** Runs a compiled TypeScript file or a JavaScript file in a child process, which is killed at the end of the test. */
export const runProgram = (t: Test, file: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  runNode(t, [join(root, compiledPath(file)), ...args], env);

function runNode(t: Test, args: string[], env: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
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

/** The same from the sources, as benchmarks do. */
export const runProcessesFromSources = (t: Test, directory: string, ...names: string[]) =>
  runNode(t, ['--conditions=lms-source', '--import', 'tsx', runsProcesses, directory, ...names]);

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

export const readLock = (directory: string) =>
  Value.Parse(LockHolder, JSON.parse(readFileSync(join(directory, 'lock.json'), 'utf8')));

/** The pids of all processes and of the watchdog. */
export function allPids(directory: string): number[] {
  const { processes, watchdog } = readLock(directory);
  return [...processes, ...(watchdog ? [watchdog] : [])].map(({ pid }) => pid);
}

export const isRunning = (pid: number) => identify(pid) !== undefined;
