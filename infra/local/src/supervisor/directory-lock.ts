import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { identify, isRunning, ProcessIdentity, signalProcess, waitUntil } from './processes.ts';

const watchdogEndsWithinMs = 60_000;
const killedWithinMs = 10_000;

/** What lock.json says. */
export const Holder = Type.Object({
  supervisor: ProcessIdentity,
  watchdog: Type.Union([ProcessIdentity, Type.Null()]),
  parts: Type.Array(ProcessIdentity),
});
type Holder = Static<typeof Holder>;

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
  constructor(directory: string, pid: number) {
    super(
      `A stack is running on ${directory} already (process ${pid}). Stop it first, or set DATA_DIR, GATEWAY_PORT and IDP_PORT for another one.`,
    );
  }
}

export interface DirectoryLock {
  /** Notes who must be gone before the next start, should this process be killed. */
  record(watchdogPid: number | undefined, pids: number[]): void;
  release(): void;
}

/**
 * Takes a data directory for this process, and waits for what a killed predecessor left to go.
 * @throws DirectoryInUse while another supervisor has it
 */
export async function lockDirectory(directory: string, report: (line: string) => void): Promise<DirectoryLock> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'lock.json');
  const draft = join(directory, `lock.${process.pid}.tmp`);
  const self = identify(process.pid);
  if (!self) throw new Error('Cannot look up processes: neither /proc nor ps works here');
  const write = (holder: Holder) => writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });

  let left: Holder | undefined;
  write({ supervisor: self, watchdog: null, parts: [] });
  while (!tryLink(draft, path)) {
    const holder = readHolder(path);
    if (holder && isRunning(holder.supervisor)) {
      rmSync(draft);
      throw new DirectoryInUse(directory, holder.supervisor.pid);
    }
    left = holder ?? left;
    putAside(path, left);
  }
  rmSync(draft);
  if (left) await waitForLeftovers(left, report);

  return {
    record(watchdogPid, pids) {
      const watchdog = watchdogPid === undefined ? null : (identify(watchdogPid) ?? null);
      write({ supervisor: self, watchdog, parts: pids.flatMap((pid) => identify(pid) ?? []) });
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

function readHolder(path: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Value.Check(Holder, holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a dead holder's lock, unless another start has put its own there in the meantime: that one is put back. */
function putAside(path: string, dead: Holder | undefined): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && moved.supervisor.pid !== dead?.supervisor.pid) tryLink(aside, path);
  rmSync(aside);
}

async function waitForLeftovers({ watchdog, parts }: Holder, report: (line: string) => void): Promise<void> {
  const someRun = () => parts.some(isRunning) || (watchdog !== null && isRunning(watchdog));
  if (!someRun()) return;
  report('waiting for the parts of a killed stack to end');
  if (watchdog) await waitUntil(() => !isRunning(watchdog), watchdogEndsWithinMs);
  for (const part of parts.filter(isRunning)) signalProcess(part.pid, 'SIGKILL');
  if (!(await waitUntil(() => !someRun(), killedWithinMs))) {
    throw new Error(
      `Parts of a killed stack do not end: processes ${parts
        .filter(isRunning)
        .map(({ pid }) => pid)
        .join(', ')}`,
    );
  }
}
