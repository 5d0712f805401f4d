import { join } from 'node:path';
import { areFree, claimPorts } from './free-ports.ts';
import {
  type Command,
  launch,
  messageOf,
  type ProcessDefinition,
  type Running,
  StartFailed,
  type SupervisedProcess,
  startFailed,
  supervise,
  type Task,
} from './process.ts';
import { signalProcess } from './process-identity.ts';
import { startWatchdog, type Watched } from './watchdog.ts';

const taskStopTimeoutMs = 5_000;
const maxAttempts = 5;

export type Supervisor = ReturnType<typeof createSupervisor>;

interface SupervisorOptions {
  logDirectory: string;
  /** Called when a process started or exited. */
  onChange?: () => void;
  /** Prints a line. */
  report?: (line: string) => void;
}

export function createSupervisor({ logDirectory, onChange = () => {}, report = () => {} }: SupervisorOptions) {
  const watchdog = startWatchdog(onChange);
  /** The processes of each call of `start`. */
  let stages: SupervisedProcess[][] = [];
  const tasks = new Set<Running>();
  let stopping = false;

  function launchWatched(command: Command, log: string, watched: Omit<Watched, 'pid'>): Running {
    const { pid, ended } = launch(command, log);
    if (pid === undefined) return { pid, ended };
    watchdog.watch({ pid, ...watched });
    return { pid, ended: ended.finally(() => watchdog.unwatch(pid)) };
  }

  /** @throws StartFailed unless the command exits with 0 */
  async function runTask({ name, command }: Task): Promise<void> {
    if (stopping) throw new StartFailed(name, 'stopped before it started');
    const log = join(logDirectory, `${name}.log`);
    const task = launchWatched(command, log, { stage: stages.length, signal: 'SIGTERM', timeoutMs: taskStopTimeoutMs });
    tasks.add(task);
    const reason = await task.ended;
    tasks.delete(task);
    if (reason) throw startFailed(name, reason, log);
  }

  async function startProcess({ definition, start }: SupervisedProcess): Promise<void> {
    const startedAt = Date.now();
    await definition.prepare?.(runTask);
    await start();
    report(`${definition.name.padEnd(18)} ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  }

  async function stopTasksAndProcesses(): Promise<void> {
    for (const { pid } of tasks) signalProcess(pid, 'SIGTERM');
    await Promise.all([...tasks].map(({ ended }) => ended));
    for (const stage of stages.toReversed()) await Promise.all(stage.map((one) => one.stop()));
  }

  return {
    get processes(): SupervisedProcess[] {
      return stages.flat();
    },
    get watchdogPid() {
      return watchdog.pid;
    },
    /** Starts processes in parallel and resolves when all are ready. They are stopped before those of earlier calls. */
    async start(definitions: ProcessDefinition[]): Promise<void> {
      if (stopping) throw new StartFailed('start', 'stopped before it was complete');
      const stage = stages.length + 1;
      const added = definitions.map((definition) => {
        const log = join(logDirectory, `${definition.name}.log`);
        const watched = { stage, signal: definition.stopSignal, timeoutMs: definition.stopTimeoutMs };
        return supervise(definition, {
          ...{ log, onChange, report },
          launch: (command) => launchWatched(command, log, watched),
        });
      });
      stages.push(added);
      await Promise.all(added.map(startProcess));
    },
    /** Lets `work` start processes on free ports, and repeats it on other ports if another program took one of them. */
    async onFreePorts<T>(count: number, work: (ports: number[]) => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt += 1) {
        const { ports, release } = await claimPorts(count);
        try {
          return await work(ports);
        } catch (error) {
          await stopTasksAndProcesses();
          // A concurrent stop() still needs the list.
          if (!stopping) stages = [];
          release();
          if (attempt === maxAttempts || (await areFree(ports))) throw error;
          report(`${messageOf(error)}; another program took a port, trying other ports`);
        }
      }
    },
    runTask,
    /** Stops all processes, the latest stage first. */
    async stop(): Promise<void> {
      stopping = true;
      await stopTasksAndProcesses();
      await watchdog.end();
    },
    /** Kills all processes. */
    kill(): void {
      stopping = true;
      for (const { pid } of tasks) signalProcess(pid, 'SIGKILL');
      for (const one of stages.flat()) one.kill();
    },
  };
}
