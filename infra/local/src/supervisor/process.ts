import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

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
  /** Called once, before the first start. */
  prepare?(runTask: (task: Task) => Promise<void>): Promise<void>;
  /** Called before every start, so it can also clean up after a process that was killed. */
  command(): Promise<Command> | Command;
  /** Rejects while the process is not ready. */
  probe(): Promise<void>;
  stopSignal: NodeJS.Signals;
  stopTimeoutMs: number;
  /** Sent when the supervisor was killed; SIGKILL by default. */
  abandonedSignal?: NodeJS.Signals;
}

/** A part of the stack that failed, and why, with the end of its log. The reason is enough for the user. */
export class StartFailed extends Error {
  override name = 'StartFailed';
  readonly logTail: string;
  constructor(part: string, reason: string, logTail = '') {
    super(`${part}: ${reason}`);
    this.logTail = logTail;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @returns false if there is no such process */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(pid, signal);
  } catch {
    return false;
  }
}

const minBackOffMs = 100;
const maxBackOffMs = 1_000;
const healthyAfterMs = 10_000;
const readyTimeoutMs = 120_000;
const probeIntervalMs = 50;
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
    /** Resolves with the reason of the exit, or an empty string for exit code 0. Never rejects. */
    ended: new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : code ? `exit code ${code}` : ''));
    }),
    /** The error for this reason, with the last lines that the process has written. */
    failed(reason: string) {
      const text = readFileSync(log).subarray(logStart).toString();
      return new StartFailed(name, reason, text.trimEnd().split('\n').slice(-tailLines).join('\n'));
    },
  };
}

interface SuperviseOptions {
  launch(name: string, command: Command, abandonedSignal?: NodeJS.Signals): Running;
  /** Called when the process started or exited. */
  onChange(): void;
  report(line: string): void;
}

export type SupervisedProcess = ReturnType<typeof supervise>;

export function supervise(definition: ProcessDefinition, { launch, onChange, report }: SuperviseOptions) {
  const { name, probe, stopSignal, stopTimeoutMs, abandonedSignal } = definition;
  const stopping = new AbortController();
  let running: Running | undefined;
  let ready = false;
  let failures = 0;

  /** Runs the process until it exits. @throws StartFailed if it was not ready */
  async function run(): Promise<string> {
    const command = await definition.command();
    if (stopping.signal.aborted) return 'stopped';
    const startedAt = Date.now();
    const current = launch(name, command, abandonedSignal);
    running = current;
    onChange();
    const reason = (await current.ended) || 'exit code 0';
    running = undefined;
    onChange();
    if (!ready) throw current.failed(reason);
    if (Date.now() - startedAt > healthyAfterMs) failures = 0;
    return reason;
  }

  async function restartUntilStopped(firstReason: string): Promise<void> {
    let reason = firstReason;
    while (!stopping.signal.aborted) {
      report(`${name}: ${reason}, restarting`);
      const delayMs = Math.min(maxBackOffMs, minBackOffMs * 2 ** failures++);
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      reason = await run().catch(messageOf);
    }
  }

  async function waitUntilReady(): Promise<void> {
    const deadline = Date.now() + readyTimeoutMs;
    while (!stopping.signal.aborted) {
      const failure = await probe().then(() => undefined, messageOf);
      if (failure === undefined) return;
      const reason = `not ready after ${readyTimeoutMs / 1000} s (${failure})`;
      if (Date.now() > deadline) throw running?.failed(reason) ?? new StartFailed(name, reason);
      await pause(probeIntervalMs);
    }
    throw new StartFailed(name, 'stopped before it was ready');
  }

  return {
    definition,
    pid: () => running?.pid ?? null,
    /** Resolves when the process is ready. From then on it is restarted whenever it exits. */
    async start() {
      const firstRun = run();
      firstRun.then(restartUntilStopped, () => {}); // The race handles the error, unless it is already over.
      await Promise.race([waitUntilReady(), firstRun]);
      ready = true;
    },
    async stop() {
      stopping.abort();
      const child = running;
      signalProcess(child?.pid, stopSignal);
      const timeout = setTimeout(() => signalProcess(child?.pid, 'SIGKILL'), stopTimeoutMs);
      await child?.ended;
      clearTimeout(timeout);
    },
  };
}
