import { startOnFreePorts } from './free-ports.ts';
import { launch, openLog, type ProcessLog, type Running } from './launch.ts';
import { type Command, type ProcessDefinition, StartFailed, type Task } from './process-definition.ts';
import { signalProcess } from './process-identity.ts';
import { type SupervisedProcess, supervise } from './supervise.ts';
import { startWatchdog, type Watched } from './watchdog.ts';

const taskStopTimeoutMs = 5_000;

export interface Supervisor {
  readonly processes: SupervisedProcess[];
  readonly watchdogPid: number | undefined;
  /** Starts processes in parallel and resolves when all are ready. They are stopped before those of earlier calls. */
  start(definitions: ProcessDefinition[]): Promise<void>;
  /** @throws StartFailed unless the command exits with 0 */
  runTask(task: Task): Promise<void>;
  /** Lets `work` start processes on free ports, and repeats it on other ports if another program took one of them. */
  onFreePorts<T>(count: number, work: (ports: number[]) => Promise<T>): Promise<T>;
  /** Stops all processes, the latest stage first. */
  stop(): Promise<void>;
  /** Kills all processes. */
  kill(): void;
}

export interface SupervisorOptions {
  logDirectory: string;
  /** Called when a process started or exited. */
  onChange?: () => void;
  /** Prints a line. */
  report?: (line: string) => void;
}

export function createSupervisor({
  logDirectory,
  onChange = () => {},
  report = () => {},
}: SupervisorOptions): Supervisor {
  const watchdog = startWatchdog(onChange);
  const processes: SupervisedProcess[] = [];
  const tasks = new Set<Running>();
  let stages = 0;
  let stopping = false;

  function launchWatched(command: Command, log: ProcessLog, watched: Omit<Watched, 'pid'>): Running {
    const { pid, ended } = launch(command, log);
    if (pid === undefined) return { pid, ended };
    watchdog.watch({ pid, ...watched });
    return { pid, ended: ended.finally(() => watchdog.unwatch(pid)) };
  }

  async function runTask({ name, command }: Task): Promise<void> {
    if (stopping) throw new StartFailed(name, 'stopped before it started');
    const log = openLog(logDirectory, name);
    const task = launchWatched(command, log, { stage: stages, signal: 'SIGTERM', timeoutMs: taskStopTimeoutMs });
    tasks.add(task);
    const reason = await task.ended;
    tasks.delete(task);
    if (reason) throw new StartFailed(name, reason, log.tail());
  }

  function createProcess(definition: ProcessDefinition, stage: number): SupervisedProcess {
    const log = openLog(logDirectory, definition.name);
    const watched = { stage, signal: definition.stopSignal, timeoutMs: definition.stopTimeoutMs };
    const launchProcess = (command: Command) => launchWatched(command, log, watched);
    return supervise(definition, { stage, log, launch: launchProcess, onChange, report });
  }

  function signalTasks(signal: NodeJS.Signals) {
    for (const { pid } of tasks) if (pid !== undefined) signalProcess(pid, signal);
  }

  async function stopTasksAndProcesses(): Promise<void> {
    signalTasks('SIGTERM');
    await Promise.all([...tasks].map(({ ended }) => ended));
    for (let stage = stages; stage > 0; stage -= 1) {
      await Promise.all(processes.filter((one) => one.stage === stage).map((one) => one.stop()));
    }
  }

  async function reset(): Promise<void> {
    await stopTasksAndProcesses();
    // A concurrent stop() still needs the list.
    if (stopping) return;
    processes.length = 0;
    stages = 0;
  }

  return {
    processes,
    get watchdogPid() {
      return watchdog.pid;
    },
    async start(definitions) {
      if (stopping) throw new StartFailed('start', 'stopped before it was complete');
      stages += 1;
      const added = definitions.map((definition) => createProcess(definition, stages));
      processes.push(...added);
      await Promise.all(
        added.map(async ({ definition, start }) => {
          const startedAt = Date.now();
          await definition.prepare?.(runTask);
          await start();
          report(`${definition.name.padEnd(18)} ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
        }),
      );
    },
    onFreePorts: (count, start) => startOnFreePorts(count, start, { reset, report }),
    runTask,
    async stop() {
      stopping = true;
      await stopTasksAndProcesses();
      await watchdog.end();
    },
    kill() {
      stopping = true;
      signalTasks('SIGKILL');
      for (const one of processes) one.kill();
    },
  };
}
