import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, startRedis } from 'local/embedded';
import { type DatabaseOptions, openPostgres } from './databases.ts';
import { createProcesses } from './processes.ts';

export type Bench = Parameters<Parameters<typeof runBench>[0]>[0];

/** Runs a measurement with a directory, processes and servers of its own, and removes all of them at the end. */
export async function runBench(work: (bench: ReturnType<typeof createBench>) => Promise<unknown>) {
  const directory = await mkdtemp(join(tmpdir(), 'lms-bench-'));
  const bench = createBench(directory);
  try {
    await work(bench);
  } finally {
    await bench.end();
    for (const close of bench.closing.toReversed()) await close();
    await rm(directory, { recursive: true, force: true });
  }
}

function createBench(directory: string) {
  const closing: (() => Promise<unknown>)[] = [];
  const closed = <T extends { stop: () => Promise<unknown> }>(server: T): T => {
    closing.push(server.stop);
    return server;
  };
  return {
    ...createProcesses(directory),
    directory,
    /** Called at the end, the last one first, when the processes have ended. */
    closing,
    openPostgres: async (options?: DatabaseOptions) => closed(await openPostgres(directory, options)),
    startNats: async () => closed(await startNats({ directory: join(directory, 'nats') })),
    startRedis: async () => closed(await startRedis({ directory: join(directory, 'redis') })),
  };
}
