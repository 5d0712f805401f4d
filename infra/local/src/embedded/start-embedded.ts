import { join } from 'node:path';
import { natsPart } from '../parts/nats.ts';
import { postgresPart } from '../parts/postgres.ts';
import { redisPart } from '../parts/redis.ts';
import { chooseFreePort } from '../supervisor/free-ports.ts';
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
export async function startPostgres(
  options: EmbeddedOptions & { settings?: Record<string, string> },
): Promise<Embedded> {
  const port = options.port ?? (await chooseFreePort());
  return startAlone(postgresPart({ ...options, port }), options.directory);
}

export async function startNats({ directory, port }: EmbeddedOptions): Promise<Embedded> {
  return startAlone(natsPart({ directory, port: port ?? (await chooseFreePort()), path: searchPath() }), directory);
}

export async function startRedis({ directory, port }: EmbeddedOptions): Promise<Embedded> {
  return startAlone(redisPart({ directory, port: port ?? (await chooseFreePort()), path: searchPath() }), directory);
}

async function startAlone(part: Part, directory: string): Promise<Embedded> {
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs') });
  try {
    await supervisor.start([part]);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return {
    url: part.url,
    get pid() {
      return supervisor.parts[0]?.pid() ?? null;
    },
    stop: supervisor.stop,
  };
}

function searchPath(): string {
  return process.env.PATH ?? '';
}
