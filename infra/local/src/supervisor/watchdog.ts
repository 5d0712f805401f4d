import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/supervisor/watchdog.mjs', import.meta.url));

interface Watched {
  pid: number;
  /** Higher stages end first. */
  stage: number;
  signal: NodeJS.Signals;
  withinMs: number;
}

export interface Watchdog {
  readonly pid: number | undefined;
  watch(entry: Watched): void;
  forget(pid: number): void;
  end(): Promise<void>;
}

/** Starts the process that ends everything watched when this one disappears, and starts it again should it die itself. */
export function startWatchdog(onReplaced: () => void): Watchdog {
  const watched = new Map<number, Watched>();
  let ending = false;
  let child = unleash();

  function unleash(): ChildProcess {
    const dog = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    dog.stdin?.on('error', () => {}); // It died: 'exit' follows and brings the next one.
    dog.once('exit', () => {
      if (ending) return;
      child = unleash();
      onReplaced();
    });
    for (const entry of watched.values()) tell(dog, entry);
    return dog;
  }

  return {
    get pid() {
      return child.pid;
    },
    watch(entry) {
      watched.set(entry.pid, entry);
      tell(child, entry);
    },
    forget(pid) {
      watched.delete(pid);
      tell(child, { pid });
    },
    async end() {
      ending = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.stdin?.end();
      await gone;
    },
  };
}

function tell(dog: ChildProcess, message: object): void {
  dog.stdin?.write(`${JSON.stringify(message)}\n`);
}
