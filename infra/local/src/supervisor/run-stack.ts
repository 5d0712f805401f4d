import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDirectory } from './directory-lock.ts';
import { messageOf, StartFailed, type SupervisedProcess } from './process.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

// One Ctrl-C arrives twice: from the terminal and from npm.
const duplicateSignalMs = 1_000;

/** Entries of stack.json that are not supervised processes. */
export type ExternalServers = Record<string, Record<string, string | null>>;

export interface StackOptions {
  directory: string;
  external: ExternalServers;
  start(supervisor: Supervisor): Promise<void>;
  report(line: string): void;
}

/**
 * Locks a data directory, starts a stack there and runs it until a signal arrives or the parent process exits.
 * @returns the exit code: 0 after a regular stop, 1 if the start failed. The caller exits with it: signals are still caught
 */
export async function runStack({ directory, external, start, report }: StackOptions): Promise<number> {
  const lock = await lockDirectory(directory, report);
  const file = join(directory, 'stack.json');
  rmSync(file, { force: true });
  const onChange = () => {
    lock.record(supervisor);
    writeStackFile(file, external, supervisor.processes);
  };
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs'), onChange, report });
  const stopped = untilStopped(supervisor);
  let ready = false;
  try {
    await Promise.race([start(supervisor), stopped]);
    ready = true;
    await stopped;
    report('stopping');
    return 0;
  } catch (error) {
    report(`${ready ? 'Failed' : 'The start failed'}: ${messageOf(error)}`);
    if (error instanceof StartFailed && error.logTail) report(error.logTail.replace(/^/gm, '    '));
    return 1;
  } finally {
    await supervisor.stop();
    rmSync(file, { force: true });
    lock.release();
  }
}

/** Resolves after a signal, or when the parent process exits; then a second signal kills all processes. */
function untilStopped(supervisor: Supervisor): Promise<void> {
  return new Promise((resolve, reject) => {
    let firstSignalAt: number | undefined;
    const onSignal = () => {
      if (firstSignalAt !== undefined && Date.now() - firstSignalAt > duplicateSignalMs) return supervisor.kill();
      firstSignalAt ??= Date.now();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
    process.on('disconnect', resolve);
    process.on('uncaughtException', reject);
  });
}

/** `stack.json` contains the addresses of all processes. They include passwords, so only the owner may read it. */
function writeStackFile(path: string, external: ExternalServers, processes: readonly SupervisedProcess[]): void {
  const running = processes.map((one) => {
    const { name, url, adminUrl } = one.definition;
    const key = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [key, { url, ...(adminUrl ? { adminUrl } : {}), pid: one.pid() }] as const;
  });
  const text = JSON.stringify({ ...external, ...Object.fromEntries(running) }, null, 2);
  writeFileSync(`${path}.tmp`, `${text}\n`, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}
