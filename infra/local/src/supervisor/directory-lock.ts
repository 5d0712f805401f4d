import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { identify, isRunning, signalProcess, waitUntil } from './process-identity.ts';
import type { Supervisor } from './supervisor.ts';

const watchdogTimeoutMs = 60_000;
const killTimeoutMs = 10_000;

const ProcessIdentity = Type.Object({ pid: Type.Integer(), startedAt: Type.String() });

/** The contents of lock.json. */
export const LockHolder = Type.Object({
  supervisor: ProcessIdentity,
  watchdog: Type.Union([ProcessIdentity, Type.Null()]),
  processes: Type.Array(ProcessIdentity),
});
export type LockHolder = Static<typeof LockHolder>;

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
  constructor(directory: string, pid: number) {
    super(
      `A stack is already running in ${directory} (process ${pid}). Stop it first, or set DATA_DIR, GATEWAY_PORT and IDP_PORT to run another one.`,
    );
  }
}

/**
 * Locks a data directory for this process, and waits until leftover processes of a killed supervisor have exited.
 * @throws DirectoryInUse if another supervisor holds the lock
 */
export async function lockDirectory(directory: string, report: (line: string) => void) {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'lock.json');
  const draft = join(directory, `lock.${process.pid}.tmp`);
  const self = identify(process.pid);
  if (!self) throw new Error('Cannot inspect processes: neither /proc nor ps is available');
  const write = (holder: LockHolder) => writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });

  let previous: LockHolder | undefined;
  write({ supervisor: self, watchdog: null, processes: [] });
  while (!tryLink(draft, path)) {
    const holder = readHolder(path);
    if (holder && isRunning(holder.supervisor)) {
      rmSync(draft);
      throw new DirectoryInUse(directory, holder.supervisor.pid);
    }
    previous = holder ?? previous;
    removeStaleLock(path, previous);
  }
  rmSync(draft);
  if (previous) await endLeftoverProcesses(previous, report);

  return {
    /** Stores the processes that must have exited before the next start if this process is killed. */
    record({ watchdogPid, processes }: Pick<Supervisor, 'processes' | 'watchdogPid'>) {
      const pids = processes.flatMap((one) => one.pid() ?? []);
      const watchdog = watchdogPid === undefined ? null : (identify(watchdogPid) ?? null);
      write({ supervisor: self, watchdog, processes: pids.flatMap((pid) => identify(pid) ?? []) });
      renameSync(draft, path);
    },
    release: () => rmSync(path, { force: true }),
  };
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): LockHolder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Value.Check(LockHolder, holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the lock of a dead process. If another start has replaced it in the meantime, that lock is restored. */
function removeStaleLock(path: string, dead: LockHolder | undefined): void {
  const stalePath = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, stalePath);
  } catch {
    return;
  }
  const moved = readHolder(stalePath);
  if (moved && moved.supervisor.pid !== dead?.supervisor.pid) tryLink(stalePath, path);
  rmSync(stalePath);
}

async function endLeftoverProcesses({ watchdog, processes }: LockHolder, report: (line: string) => void) {
  const leftover = () => [...processes, ...(watchdog ? [watchdog] : [])].filter(isRunning);
  if (leftover().length === 0) return;
  report('waiting until the processes of a killed stack have exited');
  if (watchdog) await waitUntil(() => !isRunning(watchdog), watchdogTimeoutMs);
  for (const { pid } of processes.filter(isRunning)) signalProcess(pid, 'SIGKILL');
  if (await waitUntil(() => leftover().length === 0, killTimeoutMs)) return;
  const pids = leftover().map(({ pid }) => pid);
  throw new Error(`Processes of a killed stack do not exit: ${pids.join(', ')}`);
}
