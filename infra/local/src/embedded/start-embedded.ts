import { join } from 'node:path';
import { postgresProcess } from '../processes/postgres.ts';
import { natsProcess, redisProcess } from '../processes/servers.ts';
import type { ProcessDefinition } from '../supervisor/process.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';

export interface EmbeddedOptions {
  directory: string;
  /** A free port by default. */
  port?: number;
}

/** `url` of the result is the URL of the superuser. */
export const startPostgres = (options: EmbeddedOptions & { settings?: Record<string, string> }) =>
  startServer(options, (port) => postgresProcess({ ...options, port }));

export const startNats = (options: EmbeddedOptions) =>
  startServer(options, (port) => natsProcess({ ...options, port }));

export const startRedis = (options: EmbeddedOptions) =>
  startServer(options, (port) => redisProcess({ ...options, port }));

export type Embedded = Awaited<ReturnType<typeof startServer>>;

/** Starts a single server for tests and benchmarks. It ends when the process that started it exits or is killed. */
async function startServer(options: EmbeddedOptions, define: (port: number) => ProcessDefinition) {
  const supervisor = createSupervisor({ logDirectory: join(options.directory, 'logs') });
  try {
    const { url } = await supervisor.onFreePorts(1, async ([free = 0]) => {
      const definition = define(options.port ?? free);
      await supervisor.start([definition]);
      return definition;
    });
    return { url, pid: supervisor.processes[0]?.pid() ?? null, stop: supervisor.stop };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
