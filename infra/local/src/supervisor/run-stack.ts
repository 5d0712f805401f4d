import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDirectory } from './directory-lock.ts';
import { messageOf } from './process.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

// One Ctrl-C arrives twice: from the terminal and from npm.
const duplicateSignalMs = 1_000;

export interface StackOptions {
  directory: string;
  /** Entries of stack.json that are not supervised processes. */
  external: object;
  start(supervisor: Supervisor): Promise<void>;
  report(line: string): void;
}

/**
 * Locks a data directory, starts a stack there and runs it until a signal arrives.
 * @returns the exit code: 0 after a regular stop, 1 if the start failed. The caller exits with it, which releases the lock
 */
export async function runStack({ directory, external, start, report }: StackOptions): Promise<number> {
  const lock = await lockDirectory(directory);
  const file = join(directory, 'stack.json');
  process.once('exit', () => {
    rmSync(file, { force: true });
    lock.release();
  });
  /** `stack.json` contains the addresses of all processes. They include passwords, so only the owner may read it. */
  const onChange = () => {
    const running = supervisor.processes.map((one) => {
      const { name, url, adminUrl } = one.definition;
      return [name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()), { url, adminUrl, pid: one.pid() }];
    });
    const text = JSON.stringify({ ...external, ...Object.fromEntries(running) }, null, 2);
    writeFileSync(`${file}.tmp`, `${text}\n`, { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  };
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs'), onChange, report });
  const stopped = untilSignal();
  let ready = false;
  try {
    await Promise.race([start(supervisor), stopped]);
    ready = true;
    await stopped;
    report('stopping');
    return 0;
  } catch (error) {
    report(`${ready ? 'Failed' : 'The start failed'}: ${messageOf(error)}`);
    return 1;
  } finally {
    await supervisor.stop();
  }
}

/** Resolves after a signal. After a second one this process exits, and the watchdog kills all others. */
function untilSignal(): Promise<void> {
  return new Promise((resolve, reject) => {
    let firstSignalAt: number | undefined;
    const onSignal = () => {
      firstSignalAt ??= Date.now();
      if (Date.now() - firstSignalAt > duplicateSignalMs) process.exit(1);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    process.on('uncaughtException', reject);
  });
}
