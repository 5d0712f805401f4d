import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('watchdog-main.js', import.meta.url));

export interface Watched {
  pid: number;
  /** Processes of higher stages are stopped first. */
  stage: number;
  signal: NodeJS.Signals;
  timeoutMs: number;
}

/** Starts a process that stops all watched processes when this one disappears. It is restarted if it exits. */
export function startWatchdog(onRestart: () => void) {
  const watched = new Map<number, Watched>();
  let ending = false;
  let child = spawnWatchdog();

  function spawnWatchdog(): ChildProcess {
    // The options of this process: benchmarks run the sources with them.
    const watchdog = spawn(process.execPath, [...process.execArgv, program], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    watchdog.stdin?.on('error', () => {}); // The watchdog exited; the 'exit' event restarts it.
    watchdog.once('exit', () => {
      if (ending) return;
      child = spawnWatchdog();
      onRestart();
    });
    for (const entry of watched.values()) send(watchdog, entry);
    return watchdog;
  }

  return {
    get pid() {
      return child.pid;
    },
    watch(entry: Watched) {
      watched.set(entry.pid, entry);
      send(child, entry);
    },
    unwatch(pid: number) {
      watched.delete(pid);
      send(child, { pid });
    },
    async end() {
      ending = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.stdin?.end();
      await exited;
    },
  };
}

function send(watchdog: ChildProcess, message: object): void {
  watchdog.stdin?.write(`${JSON.stringify(message)}\n`);
}
