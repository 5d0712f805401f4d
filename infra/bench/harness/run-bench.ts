import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, startRedis } from 'local/embedded';
import { openPostgres } from './databases.ts';
import { startLocalStack } from './local-stack.ts';
import { createProcesses } from './processes.ts';
import { printTable } from './results.ts';

export type Bench = ReturnType<typeof createBench>;

/** A number that the environment may set. */
export const setting = (name: string, byDefault: number) => Number(process.env[name] ?? byDefault);

/**
 * Runs a measurement with a directory, processes and servers of its own, removes all of them at the end, and prints what was
 * compared with targets. The logs stay if the measurement fails or a target is missed.
 */
export async function runBench(work: (bench: Bench) => Promise<unknown>) {
  const directory = await mkdtemp(join(tmpdir(), 'lms-bench-'));
  await mkdir(join(directory, 'logs'));
  const bench = createBench(directory);
  let isComplete = false;
  try {
    await work(bench);
    isComplete = true;
  } finally {
    await bench.end();
    for (const close of bench.closing.toReversed()) await close();
    if (bench.targets.length > 0) printTable(['target', '', 'measured', ''], bench.targets);
    const keepsLogs = !isComplete || process.exitCode === 1;
    for (const name of await readdir(directory))
      if (name !== 'logs' || !keepsLogs) await rm(join(directory, name), { recursive: true });
    if (keepsLogs) console.log(`\nlogs: ${join(directory, 'logs')}`);
    else await rm(directory, { recursive: true });
  }
}

function createBench(directory: string) {
  const closing: (() => Promise<unknown>)[] = [];
  const closed = <T extends { stop: () => Promise<unknown> }>(server: T): T => {
    closing.push(server.stop);
    return server;
  };
  const targets: string[][] = [];
  return {
    ...createProcesses(directory),
    directory,
    /** Called at the end, the last one first, when the processes have ended. */
    closing,
    targets,
    /** Compares with a target. A missed one makes the process exit with 1. */
    check(name: string, measured: number, limit: { atLeast: number } | { atMost: number }) {
      const isMet = 'atLeast' in limit ? measured >= limit.atLeast : measured <= limit.atMost;
      const target = 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`;
      targets.push([name, target, measured.toFixed(2), isMet ? 'met' : 'missed']);
      if (!isMet) process.exitCode = 1;
    },
    openPostgres: async () => closed(await openPostgres(directory)),
    startNats: async () => closed(await startNats({ directory: join(directory, 'nats') })),
    startRedis: async () => closed(await startRedis({ directory: join(directory, 'redis') })),
    startLocalStack: async (options?: Parameters<typeof startLocalStack>[1]) =>
      closed(await startLocalStack(directory, options)),
  };
}
