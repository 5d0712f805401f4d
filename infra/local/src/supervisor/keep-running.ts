import { setTimeout as pause } from 'node:timers/promises';
import { launch, type Running } from './launch.ts';
import type { PartLog } from './logs.ts';
import { type Part, PartFailed, type Task } from './part.ts';
import { signalProcess } from './processes.ts';

const shortestBackOffMs = 100;
const longestBackOffMs = 5_000;
const healthyAfterMs = 10_000;
const readyWithinMs = 120_000;
const probeEveryMs = 50;

export interface KeptPart {
  readonly part: Part;
  readonly stage: number;
  pid(): number | null;
  /** Resolves when the part is ready. From then on it is started again whenever it ends. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

export interface Keeper {
  stage: number;
  log: PartLog;
  runTask(task: Task): Promise<void>;
  /** A process of the part came or went. */
  began(pid: number): void;
  ended(pid: number): void;
  report(line: string): void;
}

export function keepRunning(part: Part, keeper: Keeper): KeptPart {
  const stopping = new AbortController();
  let running: Running | undefined;
  let ready = false;
  let failures = 0;

  async function run(): Promise<string> {
    const command = await part.command();
    if (stopping.signal.aborted) return 'stopped';
    const startedAt = Date.now();
    const child = launch(command, keeper.log);
    running = child;
    if (child.pid !== undefined) keeper.began(child.pid);
    const reason = await child.ended;
    running = undefined;
    if (child.pid !== undefined) keeper.ended(child.pid);
    if (Date.now() - startedAt > healthyAfterMs) failures = 0;
    return reason || 'ended by itself';
  }

  async function runAgainAndAgain(reason: string): Promise<void> {
    let latest = reason;
    while (!stopping.signal.aborted) {
      keeper.report(`${part.name}: ${latest}, starting it again`);
      const delayMs = Math.min(longestBackOffMs, shortestBackOffMs * 2 ** failures++);
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      latest = await run().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    }
  }

  async function becomeReady(): Promise<void> {
    const deadline = Date.now() + readyWithinMs;
    while (!stopping.signal.aborted) {
      const problem = await part.probe().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      if (problem === undefined) return;
      if (Date.now() > deadline)
        throw new PartFailed(part.name, `not up after ${readyWithinMs / 1000} s (${problem})`, keeper.log.tail());
      await pause(probeEveryMs);
    }
    throw new PartFailed(part.name, 'stopped before it was up');
  }

  return {
    part,
    stage: keeper.stage,
    pid: () => running?.pid ?? null,
    async start() {
      await part.prepare?.(keeper.runTask);
      const firstRun = run();
      const failed = firstRun.then((reason) => {
        if (!ready) throw new PartFailed(part.name, reason, keeper.log.tail());
        void runAgainAndAgain(reason);
      });
      failed.catch(() => {}); // Heard through the race below, or too late to matter.
      await Promise.race([becomeReady(), failed]);
      ready = true;
    },
    async stop() {
      stopping.abort();
      const child = running;
      if (child?.pid === undefined) return;
      signalProcess(child.pid, part.stopSignal);
      const patience = new AbortController();
      const impatience = pause(part.stopWithinMs, undefined, { signal: patience.signal }).then(
        () => child.pid !== undefined && signalProcess(child.pid, 'SIGKILL'),
        () => {},
      );
      await child.ended;
      patience.abort();
      await impatience;
    },
    kill() {
      stopping.abort();
      if (running?.pid !== undefined) signalProcess(running.pid, 'SIGKILL');
    },
  };
}
