import { execFile, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigError, configExitCode } from '@lms/config/load-config';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Command {
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
}

/** A command that runs to completion and must exit with 0. */
export interface Task {
  name: string;
  command: Command;
}

/** A process of the stack, and how to start, probe and stop it. */
export interface ProcessDefinition {
  /** In kebab-case. The name of the log file and, in camelCase, of the entry in stack.json. */
  name: string;
  url: string;
  adminUrl?: string | undefined;
  /** Called before every start, so it can also prepare the data and clean up after a process that was killed. */
  command(): Promise<Command> | Command;
  /** Rejects while the process is not ready. */
  probe(): Promise<void>;
  stopSignal: NodeJS.Signals;
  stopTimeoutMs: number;
  /** Sent when the supervisor was killed; SIGKILL by default. */
  abandonedSignal?: NodeJS.Signals;
}

/** A part of the stack that failed, and why, which is enough for the user. */
export class StartFailed extends Error {
  override name = 'StartFailed';
  constructor(part: string, reason: string) {
    super(`${part}: ${reason}`);
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Prints why a program has failed, and exits. */
export function exitWith(error: unknown): never {
  console.error(error instanceof ConfigError || error instanceof StartFailed ? error.message : error);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}

/** @returns false if there is no such process */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Runs a command, which ends with this process at the latest. @throws StartFailed unless it exits with 0 */
export async function runTask({ name, command: { file, args, ...options } }: Task): Promise<void> {
  const running = promisify(execFile)(file, args, options);
  const kill = () => running.child.kill();
  process.once('exit', kill);
  try {
    await running;
  } catch (error) {
    throw new StartFailed(name, messageOf(error));
  } finally {
    process.off('exit', kill);
  }
}

const tailLines = 30;

export type Running = ReturnType<typeof launch>;

/** Starts a process in its own session, so that Ctrl-C in the terminal reaches the supervisor only. Its log file is appended to. */
export function launch(name: string, { file, args, ...options }: Command, logDirectory: string) {
  mkdirSync(logDirectory, { recursive: true });
  const log = join(logDirectory, `${name}.log`);
  const descriptor = openSync(log, 'a');
  const logStart = fstatSync(descriptor).size;
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', descriptor, descriptor] });
  closeSync(descriptor);
  return {
    pid: child.pid,
    /** Resolves with the reason of the exit. Never rejects. */
    ended: new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
    }),
    /** The error for this reason, with the last lines that the process has written. */
    failed(reason: string) {
      const text = readFileSync(log).subarray(logStart).toString();
      return new StartFailed(name, [reason, ...text.trimEnd().split('\n').slice(-tailLines)].join('\n    '));
    },
  };
}
