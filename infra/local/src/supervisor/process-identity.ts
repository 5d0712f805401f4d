import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A pid with the start time of its process: pids are reused. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** Returns undefined if no such process is running. Zombies do not count as running. */
export function identify(pid: number): ProcessIdentity | undefined {
  const state = existsSync('/proc/self/stat') ? readProcStat(pid) : readPs(pid);
  return state && !/^[ZX]/.test(state.status) ? { pid, startedAt: state.startedAt } : undefined;
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** @returns whether the condition became true before the timeout */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await pause(25);
  }
  return true;
}

/** Does nothing if the process was not started or has exited. */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // It has exited.
  }
}

function readProcStat(pid: number) {
  try {
    // The name of the command, in parentheses, may contain anything; the fields after it have fixed positions.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { status: fields[0] ?? '', startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function readPs(pid: number) {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return { status: line, startedAt: line.replace(/^\S+\s+/, '') };
  } catch {
    return undefined;
  }
}
