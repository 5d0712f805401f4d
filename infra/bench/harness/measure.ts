import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What was measured, by the name of its column. */
export type Measured = Record<string, number>;
/** Processes by name. */
export type Pids = Record<string, number>;

/**
 * Processor time in seconds of a process, its children, and those that have ended: PostgreSQL has a process for each session.
 * In `stat`, the fields after the program's name are: state, parent, …, from the 12th on the processor time of the process and of
 * its ended children, in user and system mode, in hundredths of a second.
 */
async function readCpuSeconds(pid: number): Promise<number> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Other processes end in the meantime.
  const stats = await Promise.all(all.map((one) => readFile(`/proc/${one}/stat`, 'utf8').catch(() => '')));
  const hundredths = stats.map((stat) => {
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const isOne = Number.parseInt(stat, 10) === pid || fields[1] === pid;
    return isOne ? fields.slice(11, 15).reduce((sum, field) => sum + field) : 0;
  });
  return hundredths.reduce((sum, one) => sum + one) / 100;
}

/** Does some work, and returns the seconds that it took, and the processor time and the most memory that each process used. */
export async function measure(pids: Pids, work: () => Promise<unknown>): Promise<Measured> {
  const before: Measured = {};
  for (const [name, pid] of Object.entries(pids)) {
    before[name] = await readCpuSeconds(pid);
    // Linux then counts the largest resident memory from now on.
    await writeFile(`/proc/${pid}/clear_refs`, '5');
  }
  const startedAt = performance.now();
  await work();
  const measured: Measured = { seconds: Math.round(performance.now() - startedAt) / 1_000 };
  for (const [name, pid] of Object.entries(pids)) {
    measured[`CPU s, ${name}`] = Number(((await readCpuSeconds(pid)) - (before[name] ?? 0)).toFixed(2));
    const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    measured[`MiB, ${name}`] = Number(kibibytes) / 1_024;
  }
  return measured;
}

interface Request {
  path: string;
  method?: string;
  /** Only one. */
  headers?: Record<string, string>;
  body?: object | undefined;
}

interface Load {
  url: string;
  /** Sent in turn. */
  requests: Request[];
  connections: number;
  seconds: number;
  /** The processes of which the processor time of a request is measured. */
  pids?: Pids;
}

const requestsFile = join(tmpdir(), `lms-bench-requests-${process.pid}`);

/** Sends as many requests as possible, with wrk. */
export async function load({ url, requests, connections, seconds, pids = {} }: Load): Promise<Measured> {
  const lines = requests.map(({ method = 'GET', path, headers = {}, body }) => {
    const [header = ''] = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return `${[method, path, header, body ? JSON.stringify(body) : ''].join('\t')}\n`;
  });
  await writeFile(requestsFile, lines.join(''));
  const options = ['-t1', '--timeout', '30s', `-c${connections}`, `-d${seconds}s`];
  const script = ['-s', join(import.meta.dirname, 'load.lua'), url, '--', requestsFile];
  let output = '';
  const used = await measure(pids, async () => {
    output = (await run('wrk', [...options, ...script])).stdout;
  });
  await rm(requestsFile);
  const { requests: count, ...measured } = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  for (const name of Object.keys(pids)) measured[`CPU ms, ${name}`] = ((used[`CPU s, ${name}`] ?? 0) * 1_000) / count;
  return measured;
}
