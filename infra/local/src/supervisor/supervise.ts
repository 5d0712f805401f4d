import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessLog, Running } from './launch.ts';
import { type Command, type ProcessDefinition, StartFailed } from './process-definition.ts';
import { signalProcess } from './process-identity.ts';

const minBackOffMs = 100;
const maxBackOffMs = 5_000;
const healthyAfterMs = 10_000;
const readyTimeoutMs = 120_000;
const probeIntervalMs = 50;

export interface SupervisedProcess {
  readonly definition: ProcessDefinition;
  readonly stage: number;
  pid(): number | null;
  /** Resolves when the process is ready. From then on it is restarted whenever it exits. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

export interface SuperviseOptions {
  stage: number;
  log: ProcessLog;
  launch(command: Command): Running;
  /** Called when the process started or exited. */
  onChange(): void;
  report(line: string): void;
}

export function supervise(definition: ProcessDefinition, options: SuperviseOptions): SupervisedProcess {
  const stopping = new AbortController();
  let running: Running | undefined;
  let ready = false;
  let failures = 0;

  async function run(): Promise<string> {
    const command = await definition.command();
    if (stopping.signal.aborted) return 'stopped';
    const startedAt = Date.now();
    running = options.launch(command);
    options.onChange();
    const reason = await running.ended;
    running = undefined;
    options.onChange();
    if (Date.now() - startedAt > healthyAfterMs) failures = 0;
    return reason || 'exit code 0';
  }

  async function restartUntilStopped(firstReason: string): Promise<void> {
    let reason = firstReason;
    while (!stopping.signal.aborted) {
      options.report(`${definition.name}: ${reason}, restarting`);
      const delayMs = Math.min(maxBackOffMs, minBackOffMs * 2 ** failures++);
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      reason = await run().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    }
  }

  async function waitUntilReady(): Promise<void> {
    const deadline = Date.now() + readyTimeoutMs;
    while (!stopping.signal.aborted) {
      const failure = await definition.probe().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      if (failure === undefined) return;
      if (Date.now() > deadline) {
        const reason = `not ready after ${readyTimeoutMs / 1000} s (${failure})`;
        throw new StartFailed(definition.name, reason, options.log.tail());
      }
      await pause(probeIntervalMs);
    }
    throw new StartFailed(definition.name, 'stopped before it was ready');
  }

  return {
    definition,
    stage: options.stage,
    pid: () => running?.pid ?? null,
    async start() {
      const failed = run().then((reason) => {
        if (!ready) throw new StartFailed(definition.name, reason, options.log.tail());
        void restartUntilStopped(reason);
      });
      failed.catch(() => {}); // Handled by the race below, unless that is already over.
      await Promise.race([waitUntilReady(), failed]);
      ready = true;
    },
    async stop() {
      stopping.abort();
      const child = running;
      if (child?.pid === undefined) return;
      signalProcess(child.pid, definition.stopSignal);
      const exited = new AbortController();
      const killAfterTimeout = pause(definition.stopTimeoutMs, undefined, { signal: exited.signal }).then(
        () => child.pid !== undefined && signalProcess(child.pid, 'SIGKILL'),
        () => {},
      );
      await child.ended;
      exited.abort();
      await killAfterTimeout;
    },
    kill() {
      stopping.abort();
      if (running?.pid !== undefined) signalProcess(running.pid, 'SIGKILL');
    },
  };
}
