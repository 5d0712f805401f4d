import { join } from 'node:path';
import { lockDirectory } from './directory-lock.ts';
import { StartFailed } from './process-definition.ts';
import { type ExternalServers, openStackFile } from './stack-file.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

// One Ctrl-C arrives twice: from the terminal and from npm.
const duplicateSignalMs = 1_000;

export interface Stack {
  supervisor: Supervisor;
  /** Adds servers that are not supervised to stack.json. */
  addExternal(external: ExternalServers): void;
}

/**
 * Locks a data directory, starts a stack there and runs it until a signal arrives or the parent process exits.
 * @returns the exit code: 0 after a regular stop, 1 if the start failed
 */
export async function runStack(
  directory: string,
  start: (stack: Stack) => Promise<void>,
  report: (line: string) => void,
): Promise<number> {
  const lock = await lockDirectory(directory, report);
  const file = openStackFile(directory);
  file.remove();
  const external: ExternalServers = {};
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs'), onChange: writeFiles, report });
  function writeFiles() {
    const pids = supervisor.processes.flatMap((one) => one.pid() ?? []);
    lock.record(supervisor.watchdogPid, pids);
    file.write(external, supervisor.processes);
  }

  const stop = listenForStop(supervisor);
  let ready = false;
  try {
    const started = start({
      supervisor,
      addExternal(entries) {
        Object.assign(external, entries);
        writeFiles();
      },
    });
    await Promise.race([started, stop.requested]);
    ready = true;
    await stop.requested;
    report('stopping');
    return 0;
  } catch (error) {
    report(`${ready ? 'Failed' : 'The start failed'}: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof StartFailed && error.logTail) report(error.logTail.replace(/^/gm, '    '));
    return 1;
  } finally {
    await supervisor.stop();
    stop.removeListeners();
    file.remove();
    lock.release();
  }
}

function listenForStop(supervisor: Supervisor) {
  const { promise: requested, resolve, reject } = withResolvers();
  let firstSignalAt: number | undefined;
  const onSignal = () => {
    if (firstSignalAt !== undefined && Date.now() - firstSignalAt > duplicateSignalMs) return supervisor.kill();
    firstSignalAt ??= Date.now();
    resolve();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  process.on('disconnect', resolve);
  process.on('uncaughtException', reject);
  return {
    requested,
    removeListeners() {
      for (const signal of signals) process.off(signal, onSignal);
      process.off('disconnect', resolve);
      process.off('uncaughtException', reject);
    },
  };
}

function withResolvers() {
  let resolve = () => {};
  let reject = (_error: unknown) => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
