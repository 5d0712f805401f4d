import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identify } from '../supervisor/process-identity.ts';

/**
 * Removes the postmaster.pid of a PostgreSQL that was killed, if the pid now belongs to another program. In all other cases
 * PostgreSQL handles the file itself.
 */
export function removeStaleLock(cluster: string): void {
  const file = join(cluster, 'postmaster.pid');
  const pid = readPid(file);
  if (pid === undefined || !identify(pid) || runsPostgres(pid)) return;
  rmSync(file, { force: true });
}

function readPid(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}

function runsPostgres(pid: number): boolean {
  try {
    const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return /(^|\/)postgres(:|$)/.test(program);
  } catch {
    return true;
  }
}
