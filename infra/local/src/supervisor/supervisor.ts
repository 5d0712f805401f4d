import { startOnFreePorts } from './free-ports.ts';
import { type KeptPart, keepRunning } from './keep-running.ts';
import { launch } from './launch.ts';
import { openLog } from './logs.ts';
import { type Part, PartFailed, type Task } from './part.ts';
import { signalProcess } from './processes.ts';
import { startWatchdog } from './watchdog.ts';

const taskStopsWithinMs = 5_000;

export interface Supervisor {
  readonly parts: KeptPart[];
  readonly watchdogPid: number | undefined;
  /** Starts parts side by side and resolves when all are ready. They end before those of earlier calls. */
  start(parts: Part[]): Promise<void>;
  /** @throws PartFailed unless the command exits with 0 */
  runTask(task: Task): Promise<void>;
  /** Has `work` start parts on free ports, and start all of them again where another program takes one of those first. */
  onFreePorts<T>(count: number, work: (ports: number[]) => Promise<T>): Promise<T>;
  /** Ends everything, the latest stage first. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

export interface SupervisorOptions {
  logDirectory: string;
  /** A process came or went. */
  onChange?: () => void;
  /** A line for the terminal. */
  report?: (line: string) => void;
}

export function createSupervisor({
  logDirectory,
  onChange = () => {},
  report = () => {},
}: SupervisorOptions): Supervisor {
  const watchdog = startWatchdog(onChange);
  const parts: KeptPart[] = [];
  const tasks = new Map<number, Promise<string>>();
  let stages = 0;
  let stopping = false;

  async function runTask({ name, command }: Task): Promise<void> {
    if (stopping) throw new PartFailed(name, 'stopped before it began');
    const log = openLog(logDirectory, name);
    const { pid, ended } = launch(command, log);
    if (pid !== undefined) {
      tasks.set(pid, ended);
      watchdog.watch({ pid, stage: stages, signal: 'SIGTERM', withinMs: taskStopsWithinMs });
    }
    const reason = await ended;
    if (pid !== undefined) {
      tasks.delete(pid);
      watchdog.forget(pid);
    }
    if (reason) throw new PartFailed(name, reason, log.tail());
  }

  function keep(part: Part, stage: number): KeptPart {
    return keepRunning(part, {
      stage,
      log: openLog(logDirectory, part.name),
      runTask,
      report,
      began(pid) {
        watchdog.watch({ pid, stage, signal: part.stopSignal, withinMs: part.stopWithinMs });
        onChange();
      },
      ended(pid) {
        watchdog.forget(pid);
        onChange();
      },
    });
  }

  async function stopTasksAndParts(): Promise<void> {
    for (const pid of tasks.keys()) signalProcess(pid, 'SIGTERM');
    await Promise.all(tasks.values());
    for (let stage = stages; stage > 0; stage -= 1) {
      await Promise.all(parts.filter((kept) => kept.stage === stage).map((kept) => kept.stop()));
    }
  }

  async function startOver(): Promise<void> {
    await stopTasksAndParts();
    // A stop that has begun meanwhile still needs them.
    if (stopping) return;
    parts.length = 0;
    stages = 0;
  }

  return {
    parts,
    get watchdogPid() {
      return watchdog.pid;
    },
    async start(added) {
      if (stopping) throw new PartFailed('start', 'stopped before it was complete');
      stages += 1;
      const kept = added.map((part) => keep(part, stages));
      parts.push(...kept);
      await Promise.all(
        kept.map(async ({ part, start }) => {
          const startedAt = Date.now();
          await start();
          report(`${part.name.padEnd(18)} up after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
        }),
      );
    },
    onFreePorts: (count, start) => startOnFreePorts(count, { start, undo: startOver, report }),
    runTask,
    async stop() {
      stopping = true;
      await stopTasksAndParts();
      await watchdog.end();
    },
    kill() {
      stopping = true;
      for (const pid of tasks.keys()) signalProcess(pid, 'SIGKILL');
      for (const kept of parts) kept.kill();
    },
  };
}
