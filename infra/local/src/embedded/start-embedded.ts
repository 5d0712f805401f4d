import { join } from 'node:path';
import { type PostgresOptions, postgresProcess } from '../processes/postgres.ts';
import { natsProcess, redisProcess } from '../processes/servers.ts';
import type { ProcessDefinition } from '../supervisor/process.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';

/** The port is a free one by default. */
type EmbeddedOptions = Omit<PostgresOptions, 'port'> & { port?: number };

/** `url` of the result is the URL of the superuser. */
export const startPostgres = (options: EmbeddedOptions) => startServer(postgresProcess, options);
export const startNats = (options: EmbeddedOptions) => startServer(natsProcess, options);
export const startRedis = (options: EmbeddedOptions) => startServer(redisProcess, options);

/** Starts a single server for tests and benchmarks. It ends when the process that started it exits or is killed. */
async function startServer(define: (options: PostgresOptions) => ProcessDefinition, options: EmbeddedOptions) {
  const supervisor = createSupervisor({ logDirectory: join(options.directory, 'logs') });
  try {
    return await supervisor.onFreePorts(1, async ([port = 0]) => {
      const definition = define({ port, ...options });
      await supervisor.start([definition]);
      return { url: definition.url, pid: supervisor.processes[0]?.pid() ?? null, stop: supervisor.stop };
    });
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
