import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { claimPorts, isFree } from './free-ports.ts';
import {
  type Command,
  launch,
  messageOf,
  type ProcessDefinition,
  type Running,
  StartFailed,
  type SupervisedProcess,
  signalProcess,
  supervise,
  type Task,
} from './process.ts';

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
  const watchdog = startWatchdog();
  /** The processes of each call of `start`. */
  let stages: SupervisedProcess[][] = [];
  const tasks = new Set<Running>();
  let stopping = false;

  function launchWatched(name: string, command: Command, abandonedSignal?: NodeJS.Signals): Running {
    const launched = launch(name, command, logDirectory);
    if (launched.pid) watchdog.watch(launched.pid, launched.ended, abandonedSignal);
    return launched;
  }

  /** @throws StartFailed unless the command exits with 0 */
  async function runTask({ name, command }: Task): Promise<void> {
    if (stopping) throw new StartFailed(name, 'stopped before it started');
    const task = launchWatched(name, command);
    tasks.add(task);
    const reason = await task.ended;
    tasks.delete(task);
    if (reason) throw task.failed(reason);
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
    watchdogPid: watchdog.pid,
    /** Starts processes in parallel and resolves when all are ready. They are stopped before those of earlier calls. */
    async start(definitions: ProcessDefinition[]): Promise<void> {
      if (stopping) throw new StartFailed('start', 'stopped before it was complete');
      const added = definitions.map((one) => supervise(one, { launch: launchWatched, onChange, report }));
      stages.push(added);
      await Promise.all(added.map(startProcess));
    },
    /** Lets `work` start processes on free ports, and repeats it on other ports if another program took one of them. */
    async onFreePorts<T>(count: number, work: (ports: number[]) => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt += 1) {
        const { ports } = await claimPorts(count);
        try {
          return await work(ports);
        } catch (error) {
          await stopTasksAndProcesses();
          // A concurrent stop() still needs the list.
          if (!stopping) stages = [];
          const areFree = (await Promise.all(ports.map(isFree))).every(Boolean);
          if (attempt === maxAttempts || areFree) throw error;
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
  };
}

/**
 * Starts a shell that signals all watched processes, and their children, when this process disappears. Each line that it reads
 * is what it would execute at the end of its input.
 */
function startWatchdog() {
  const script = `trap '' INT TERM HUP; while read -r line; do command=$line; done; eval "$command"`;
  const shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.stdin.on('error', () => {}); // It was killed.
  const commands = new Map<number, string>();
  const update = () => shell.stdin.write(`${[...commands.values()].join('; ') || ':'}\n`);

  return {
    pid: shell.pid,
    watch(pid: number, ended: Promise<unknown>, signal: NodeJS.Signals = 'SIGKILL') {
      commands.set(pid, `kill -s ${signal.replace('SIG', '')} -- -${pid}`);
      update();
      void ended.then(() => {
        commands.delete(pid);
        update();
      });
    },
    async end() {
      if (shell.exitCode !== null || shell.signalCode !== null) return;
      const exited = once(shell, 'exit');
      shell.stdin.end();
      await exited;
    },
  };
}
