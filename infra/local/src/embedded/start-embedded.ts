import { join } from 'node:path';
import { postgresProcess } from '../processes/postgres.ts';
import { natsProcess, redisProcess } from '../processes/servers.ts';
import type { ProcessDefinition } from '../supervisor/process-definition.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';

export interface EmbeddedOptions {
  directory: string;
  /** A free port by default. */
  port?: number;
}

/** A single server for tests and benchmarks. It is stopped when the process that started it exits or is killed. */
export interface Embedded {
  url: string;
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** `url` of the result is the URL of the superuser. */
export function startPostgres(options: EmbeddedOptions & { settings?: Record<string, string> }): Promise<Embedded> {
  return startServer(options, (port) => postgresProcess({ ...options, port }));
}

export function startNats(options: EmbeddedOptions): Promise<Embedded> {
  return startServer(options, (port) => natsProcess({ ...options, port, path: searchPath() }));
}

export function startRedis(options: EmbeddedOptions): Promise<Embedded> {
  return startServer(options, (port) => redisProcess({ ...options, port, path: searchPath() }));
}

async function startServer(options: EmbeddedOptions, define: (port: number) => ProcessDefinition): Promise<Embedded> {
  const supervisor = createSupervisor({ logDirectory: join(options.directory, 'logs') });
  const start = async (port: number) => {
    const definition = define(port);
    await supervisor.start([definition]);
    return definition;
  };
  try {
    const { url } = await (options.port === undefined
      ? supervisor.onFreePorts(1, ([port = 0]) => start(port))
      : start(options.port));
    return {
      url,
      get pid() {
        return supervisor.processes[0]?.pid() ?? null;
      },
      stop: supervisor.stop,
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

function searchPath(): string {
  return process.env.PATH ?? '';
}
