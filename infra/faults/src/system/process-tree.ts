import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** An environment variable that all processes of a run inherit. */
export const runVariable = 'FAULTS_RUN';

/** The process and all its descendants. */
export function treeOf(pid: number): number[] {
  const children = (read(`/proc/${pid}/task/${pid}/children`) ?? '').trim().split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
}

/**
 * The processes of a run in this directory. PostgreSQL and Redis overwrite their environment with their title, but work in
 * the directory.
 */
export function processesOf(directory: string): { pid: number; command: string }[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const environment = (read(`/proc/${pid}/environ`) ?? '').split('\0');
    const isOurs = environment.includes(`${runVariable}=${directory}`) || workingDirectory(pid).startsWith(directory);
    const state = /\) (\w)/.exec(read(`/proc/${pid}/stat`) ?? '')?.[1] ?? 'X';
    const command = (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim();
    return isOurs && !'XZ'.includes(state) && pid !== process.pid ? [{ pid, command }] : [];
  });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function workingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
