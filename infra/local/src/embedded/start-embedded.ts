import { join } from 'node:path';
import { natsPart } from '../parts/nats.ts';
import { postgresPart } from '../parts/postgres.ts';
import { redisPart } from '../parts/redis.ts';
import type { Part } from '../supervisor/part.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';

export interface EmbeddedOptions {
  directory: string;
  /** A free one unless given. */
  port?: number;
}

/** A server on its own, for tests and benches. It goes with the process that started it, whichever way that ends. */
export interface Embedded {
  url: string;
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** @returns the superuser's URL */
export function startPostgres(options: EmbeddedOptions & { settings?: Record<string, string> }): Promise<Embedded> {
  return startAlone(options, (port) => postgresPart({ ...options, port }));
}

export function startNats(options: EmbeddedOptions): Promise<Embedded> {
  return startAlone(options, (port) => natsPart({ ...options, port, path: searchPath() }));
}

export function startRedis(options: EmbeddedOptions): Promise<Embedded> {
  return startAlone(options, (port) => redisPart({ ...options, port, path: searchPath() }));
}

async function startAlone(options: EmbeddedOptions, createPart: (port: number) => Part): Promise<Embedded> {
  const supervisor = createSupervisor({ logDirectory: join(options.directory, 'logs') });
  const start = async (port: number) => {
    const part = createPart(port);
    await supervisor.start([part]);
    return part;
  };
  try {
    const { url } = await (options.port === undefined
      ? supervisor.onFreePorts(1, ([port = 0]) => start(port))
      : start(options.port));
    return {
      url,
      get pid() {
        return supervisor.parts[0]?.pid() ?? null;
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
