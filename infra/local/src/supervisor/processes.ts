import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';

/** A pid and when it began, so that a stranger who was given the number later is not taken for it. */
export const ProcessIdentity = Type.Object({ pid: Type.Integer(), began: Type.String() });
export type ProcessIdentity = Static<typeof ProcessIdentity>;

/** Undefined when no such process lives; one that ended without being reaped is dead. */
export function identify(pid: number): ProcessIdentity | undefined {
  const state = existsSync('/proc/self/stat') ? readProc(pid) : askPs(pid);
  return state && !/^[ZX]/.test(state.status) ? { pid, began: state.began } : undefined;
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.began === identity.began;
}

/** @returns whether the condition came true before the time was up */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await pause(25);
  }
  return true;
}

/** Does nothing when the process has gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in the meantime: just what was wanted.
  }
}

function readProc(pid: number) {
  try {
    // The command's name, in parentheses, may hold anything; what follows is fixed.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { status: fields[0] ?? '', began: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function askPs(pid: number) {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return { status: line, began: line.replace(/^\S+\s+/, '') };
  } catch {
    return undefined;
  }
}
