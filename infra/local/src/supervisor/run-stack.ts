import { join } from 'node:path';
import { lockDirectory } from './directory-lock.ts';
import { PartFailed } from './part.ts';
import { type Elsewhere, openStackFile } from './stack-file.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

// A Ctrl-C arrives from the terminal and from npm: the same press, not a second one.
const samePressMs = 1_000;

export interface Stack {
  supervisor: Supervisor;
  /** Adds to stack.json what is no process of ours. */
  note(elsewhere: Elsewhere): void;
}

/**
 * Holds a data directory, starts a stack there and keeps it running until a signal, or the end of the parent, asks for its end.
 * @returns the exit code: 0 after an end on request, 1 when the start failed
 */
export async function runStack(
  directory: string,
  start: (stack: Stack) => Promise<void>,
  report: (line: string) => void,
): Promise<number> {
  const lock = await lockDirectory(directory, report);
  const file = openStackFile(directory);
  file.remove();
  const elsewhere: Elsewhere = {};
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs'), onChange: changed, report });
  function changed() {
    const pids = supervisor.parts.flatMap((kept) => kept.pid() ?? []);
    lock.record(supervisor.watchdogPid, pids);
    file.write(elsewhere, supervisor.parts);
  }

  const end = listenForEnd(supervisor);
  let ready = false;
  try {
    const started = start({
      supervisor,
      note(entries) {
        Object.assign(elsewhere, entries);
        changed();
      },
    });
    await Promise.race([started, end.requested]);
    ready = true;
    await end.requested;
    report('stopping');
    return 0;
  } catch (error) {
    report(`${ready ? 'Failed' : 'The start failed'}: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof PartFailed && error.logTail) report(error.logTail.replace(/^/gm, '    '));
    return 1;
  } finally {
    await supervisor.stop();
    end.ignore();
    file.remove();
    lock.release();
  }
}

function listenForEnd(supervisor: Supervisor) {
  const { promise: requested, resolve, reject } = withResolvers();
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt !== undefined && Date.now() - firstAt > samePressMs) return supervisor.kill();
    firstAt ??= Date.now();
    resolve();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  process.on('disconnect', resolve);
  process.on('uncaughtException', reject);
  return {
    requested,
    ignore() {
      for (const signal of signals) process.off(signal, onSignal);
      process.off('disconnect', resolve);
      process.off('uncaughtException', reject);
    },
  };
}

function withResolvers() {
  let resolve = () => {};
  let reject = (_error: unknown) => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
