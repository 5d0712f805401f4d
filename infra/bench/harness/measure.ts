import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a program. @returns its output. @throws unless it exits with 0 */
export const run = promisify(execFile);

/** What was measured, by the name of its column. */
export type Measured = Record<string, number>;
/** Processes by name. */
export type Pids = Record<string, number>;
export type Headers = Record<string, string>;

export const rounded = (value = Number.NaN) => Number(value.toFixed(3));

/** Processor time in seconds of a process, its children, and those that have ended: PostgreSQL has a process for each session. */
export async function readCpuSeconds(pid: number, fields = '$13 + $14 + $15 + $16'): Promise<number> {
  // Without the name of the program: pid, state, parent, …, and from the 13th field on the processor time of the process and of
  // its ended children, in user and system mode, in hundredths of a second. Other processes end in the meantime.
  const stats = `sed 's/(.*)//' /proc/[0-9]*/stat 2> /dev/null`;
  const sum = `awk '$1 == ${pid} || $3 == ${pid} { sum += ${fields} } END { print sum / 100 }'`;
  return Number((await run('sh', ['-c', `${stats} | ${sum}`])).stdout);
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
  const measured: Measured = { seconds: rounded((performance.now() - startedAt) / 1_000) };
  for (const [name, pid] of Object.entries(pids)) {
    measured[`CPU s, ${name}`] = rounded((await readCpuSeconds(pid)) - (before[name] ?? 0));
    const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    measured[`MiB, ${name}`] = rounded(Number(kibibytes) / 1_024);
  }
  return measured;
}

export interface Request {
  path: string;
  method?: string;
  /** Only one. */
  headers?: Headers;
  body?: object;
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

/** Sends as many requests as possible, with wrk. */
export async function load({ url, requests, connections, seconds, pids = {} }: Load): Promise<Measured> {
  const lines = requests.map(({ method = 'GET', path, headers = {}, body }) => {
    const [header = ''] = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return `${[method, path, header, body ? JSON.stringify(body) : ''].join('\t')}\n`;
  });
  const options = ['-t1', '--timeout', '30s', `-c${connections}`, `-d${seconds}s`];
  let output = '';
  const used = await measure(pids, async () => {
    const wrk = run('wrk', [...options, '-s', join(import.meta.dirname, 'load.lua'), url]);
    wrk.child.stdin?.end(lines.join(''));
    output = (await wrk).stdout;
  });
  const { requests: count, ...measured } = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  for (const name of Object.keys(pids)) measured[`CPU ms, ${name}`] = ((used[`CPU s, ${name}`] ?? 0) * 1_000) / count;
  return measured;
}

/** The value below which a share of the samples lies; the median by default. */
export const quantile = (samples: readonly number[], share = 0.5): number | undefined =>
  samples.toSorted((one, other) => one - other)[Math.min(samples.length - 1, Math.floor(samples.length * share))];

export type Cases = Record<string, (round: number) => Promise<Measured>>;

/** Sorts cases, so that what is measured of one system follows the same of another. */
export const byName = (cases: Cases): Cases =>
  Object.fromEntries(Object.entries(cases).sort(([one], [other]) => one.localeCompare(other)));

/**
 * Runs the cases in turns, so that other load on the machine affects all of them, and prints the medians of what they have
 * measured. Round 0 warms up and does not count. BENCH_ONLY, a pattern of their names, chooses some of them.
 */
export async function compare(cases: Cases, rounds: number) {
  const only = new RegExp(process.env.BENCH_ONLY ?? '');
  const chosen = Object.entries(cases).filter(([name]) => only.test(name));
  const results: Record<string, Measured[]> = {};
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, run] of chosen) {
      const measured = await run(round);
      if (round > 0) results[name] = [...(results[name] ?? []), measured];
    }
  /** All values of a column, by round; none if the case was not chosen. */
  const values = (name: string, column: string) =>
    (results[name] ?? []).map((measured) => measured[column] ?? Number.NaN);
  const rows = Object.entries(results).map(([name, [first = {}]]) => {
    const columns = Object.keys(first).map((column) => [column, rounded(quantile(values(name, column)))]);
    return [name, Object.fromEntries(columns)];
  });
  console.table(Object.fromEntries(rows));

  return {
    values,
    /** The median of each round's own ratio, so that one in which the machine was busy counts for both sides. */
    ratio(one: string, base: string, column: string): number | undefined {
      const bases = values(base, column);
      const ratios = values(one, column).map((value, round) => value / (bases[round] ?? Number.NaN));
      return bases.length > 0 ? quantile(ratios) : undefined;
    },
  };
}
