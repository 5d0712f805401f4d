import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { claimPorts, isFree } from './free-ports.ts';
import { launch, messageOf, type ProcessDefinition, type Running, StartFailed, signalProcess } from './process.ts';

const maxAttempts = 5;
const minBackOffMs = 100;
const maxBackOffMs = 1_000;
const healthyAfterMs = 10_000;
const readyTimeoutMs = 120_000;
const minProbeIntervalMs = 20;
const maxProbeIntervalMs = 250;

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
  let stages: ReturnType<typeof supervise>[][] = [];
  let stopping = new AbortController();
  let stopped = false;

  function supervise(definition: ProcessDefinition) {
    const { name, probe, stopSignal, stopTimeoutMs, abandonedSignal } = definition;
    const { signal } = stopping;
    let running: Running | undefined;
    let latestRun = Promise.resolve('');
    let ready = false;

    const run = () => {
      latestRun = launchOnce();
      return latestRun;
    };

    /** Runs the process until it exits. @throws StartFailed if it was not ready */
    async function launchOnce(): Promise<string> {
      const command = await definition.command();
      if (signal.aborted) throw new StartFailed(name, 'stopped before it started');
      const current = launch(name, command, logDirectory);
      if (current.pid) watchdog.watch(current.pid, current.ended, abandonedSignal);
      running = current;
      onChange();
      const reason = await current.ended;
      running = undefined;
      onChange();
      if (!ready) throw current.failed(reason);
      return reason;
    }

    async function restartUntilStopped(firstReason: string): Promise<void> {
      let reason = firstReason;
      let delayMs = minBackOffMs;
      while (!signal.aborted) {
        report(`${name}: ${reason}, restarting`);
        await pause(delayMs, undefined, { signal }).catch(() => {});
        const startedAt = Date.now();
        reason = await run().catch(messageOf);
        delayMs = Date.now() - startedAt > healthyAfterMs ? minBackOffMs : Math.min(maxBackOffMs, 2 * delayMs);
      }
    }

    async function waitUntilReady(): Promise<void> {
      const startedAt = Date.now();
      for (;;) {
        const failure = await probe().then(() => undefined, messageOf);
        if (signal.aborted) throw new StartFailed(name, 'stopped before it was ready');
        if (failure === undefined) return;
        const reason = `not ready after ${readyTimeoutMs / 1000} s (${failure})`;
        const waitedMs = Date.now() - startedAt;
        if (waitedMs > readyTimeoutMs) throw running?.failed(reason) ?? new StartFailed(name, reason);
        // The longer it takes, the less often: at a short interval, the probes of ten processes take a core from them.
        await pause(Math.min(Math.max(minProbeIntervalMs, waitedMs / 8), maxProbeIntervalMs));
      }
    }

    return {
      definition,
      pid: () => running?.pid ?? null,
      /** Resolves when the process is ready. From then on it is restarted whenever it exits. */
      async start() {
        const startedAt = Date.now();
        const firstRun = run();
        firstRun.then(restartUntilStopped, () => {}); // The race handles the error, unless it is already over.
        await Promise.race([waitUntilReady(), firstRun]);
        ready = true;
        report(`${name.padEnd(18)} ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
      },
      async stop() {
        const child = running;
        signalProcess(child?.pid, stopSignal);
        const timeout = setTimeout(() => signalProcess(child?.pid, 'SIGKILL'), stopTimeoutMs);
        await latestRun.catch(() => {}); // It may still be preparing the data.
        clearTimeout(timeout);
      },
    };
  }

  async function stopProcesses(): Promise<void> {
    stopping.abort();
    for (const stage of stages.toReversed()) await Promise.all(stage.map((one) => one.stop()));
  }

  return {
    get processes() {
      return stages.flat();
    },
    watchdogPid: watchdog.pid,
    /** Starts processes in parallel and resolves when all are ready. They are stopped before those of earlier calls. */
    async start(definitions: ProcessDefinition[]): Promise<void> {
      const added = definitions.map(supervise);
      stages.push(added);
      await Promise.all(added.map((one) => one.start()));
    },
    /** Lets `work` start processes on free ports, and repeats it on other ports if another program took one of them. */
    async onFreePorts<T>(count: number, work: (ports: number[]) => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt += 1) {
        const { ports } = await claimPorts(count);
        try {
          return await work(ports);
        } catch (error) {
          await stopProcesses();
          const areFree = (await Promise.all(ports.map(isFree))).every(Boolean);
          if (stopped || attempt === maxAttempts || areFree) throw error;
          stages = [];
          stopping = new AbortController();
          report(`${messageOf(error).split('\n')[0]}; another program took a port, trying other ports`);
        }
      }
    },
    /** Stops all processes, the latest stage first. */
    async stop(): Promise<void> {
      stopped = true;
      await stopProcesses();
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
  const exited = once(shell, 'exit');
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
      shell.stdin.end();
      await exited;
    },
  };
}
