import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signalProcess } from './process-identity.ts';

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
  adminUrl?: string;
  /** Called once, before the first start. */
  prepare?(runTask: (task: Task) => Promise<void>): Promise<void>;
  /** Called before every start, so it can also clean up after a process that was killed. */
  command(): Promise<Command> | Command;
  /** Rejects while the process is not ready. */
  probe(): Promise<void>;
  stopSignal: NodeJS.Signals;
  stopTimeoutMs: number;
}

/** A process or task that failed, with the end of its log. */
export class StartFailed extends Error {
  override name = 'StartFailed';
  readonly logTail: string;
  constructor(processName: string, reason: string, logTail = '') {
    super(`${processName}: ${reason}`);
    this.logTail = logTail;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const minBackOffMs = 100;
const maxBackOffMs = 1_000;
const healthyAfterMs = 10_000;
const readyTimeoutMs = 120_000;
const probeIntervalMs = 50;
const tailLines = 30;
const heading = '--- starts ';

export interface Running {
  pid: number | undefined;
  /** Resolves with the reason of the exit, or an empty string for exit code 0. Never rejects. */
  ended: Promise<string>;
}

/** Starts a process in its own session, so that Ctrl-C in the terminal reaches the supervisor only. Its log file is appended to. */
export function launch({ file, args, ...options }: Command, log: string): Running {
  mkdirSync(dirname(log), { recursive: true });
  const descriptor = openSync(log, 'a');
  writeSync(descriptor, `${heading}${new Date().toISOString()}\n`);
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', descriptor, descriptor] });
  closeSync(descriptor);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : code ? `exit code ${code}` : ''));
  });
  return { pid: child.pid, ended };
}

/** The error of a process or task that failed, with the last lines of its latest run. */
export function startFailed(name: string, reason: string, log: string): StartFailed {
  const latest = existsSync(log) ? readFileSync(log, 'utf8').split(heading).at(-1) : undefined;
  return new StartFailed(name, reason, (latest ?? '').trimEnd().split('\n').slice(1).slice(-tailLines).join('\n'));
}

interface SuperviseOptions {
  log: string;
  launch(command: Command): Running;
  /** Called when the process started or exited. */
  onChange(): void;
  report(line: string): void;
}

export type SupervisedProcess = ReturnType<typeof supervise>;

export function supervise(definition: ProcessDefinition, { log, launch, onChange, report }: SuperviseOptions) {
  const { name, probe, stopSignal, stopTimeoutMs } = definition;
  const stopping = new AbortController();
  let running: Running | undefined;
  let ready = false;
  let failures = 0;

  async function run(): Promise<string> {
    const command = await definition.command();
    if (stopping.signal.aborted) return 'stopped';
    const startedAt = Date.now();
    running = launch(command);
    onChange();
    const reason = await running.ended;
    running = undefined;
    onChange();
    if (Date.now() - startedAt > healthyAfterMs) failures = 0;
    return reason || 'exit code 0';
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
      if (Date.now() > deadline)
        throw startFailed(name, `not ready after ${readyTimeoutMs / 1000} s (${failure})`, log);
      await pause(probeIntervalMs);
    }
    throw new StartFailed(name, 'stopped before it was ready');
  }

  return {
    definition,
    pid: () => running?.pid ?? null,
    /** Resolves when the process is ready. From then on it is restarted whenever it exits. */
    async start() {
      const failed = run().then((reason) => {
        if (!ready) throw startFailed(name, reason, log);
        void restartUntilStopped(reason);
      });
      failed.catch(() => {}); // Handled by the race below, unless that is already over.
      await Promise.race([waitUntilReady(), failed]);
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
    kill() {
      stopping.abort();
      signalProcess(running?.pid, 'SIGKILL');
    },
  };
}
