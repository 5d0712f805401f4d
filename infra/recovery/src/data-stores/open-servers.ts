import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@lms/config/load-config';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ensureBinaries, natsServer, redisServer } from 'local/binaries';
import { DirectoryInUse, type DirectoryLock, lockDirectory } from 'local/directory-lock';
import { natsProcess } from 'local/processes/nats';
import { postgresProcess } from 'local/processes/postgres';
import { redisProcess } from 'local/processes/redis';
import type { Settings } from 'local/settings';
import { createSupervisor } from 'local/supervisor';

export interface Servers {
  postgresUrl?: string;
  natsUrl?: string;
  redisUrl?: string;
  close(): Promise<void>;
}

export interface ServersOptions {
  settings: Settings;
  environment: Environment;
  directory: string;
  purpose: 'backup' | 'restore';
  /** At least one database belongs to the local stack. */
  isLocal: boolean;
  report(line: string): void;
}

/** Returns the servers of the local stack, and starts them if it is not running. @throws DirectoryInUse for a restore while it is running */
export async function openServers({ directory, purpose, isLocal, ...rest }: ServersOptions): Promise<Servers> {
  if (!isLocal) return { close: async () => undefined };
  try {
    return await startServers(directory, await lockDirectory(directory, rest.report), rest);
  } catch (error) {
    if (purpose === 'restore' || !(error instanceof DirectoryInUse)) throw error;
    return readStack(directory);
  }
}

const Server = Type.Object({ url: Type.String() });
const Stack = Type.Object({ postgres: Server, nats: Server, redis: Server });

function readStack(directory: string): Servers {
  const { postgres, nats, redis } = Value.Parse(Stack, JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8')));
  return { postgresUrl: postgres.url, natsUrl: nats.url, redisUrl: redis.url, close: async () => undefined };
}

async function startServers(
  directory: string,
  lock: DirectoryLock,
  { settings, environment, report }: Pick<ServersOptions, 'settings' | 'environment' | 'report'>,
): Promise<Servers> {
  const supervisor = createSupervisor({
    logDirectory: join(directory, 'logs'),
    onChange: () =>
      lock.record(
        supervisor.watchdogPid,
        supervisor.processes.flatMap((one) => one.pid() ?? []),
      ),
  });
  const close = async () => {
    await supervisor.stop();
    lock.release();
  };
  try {
    const path = environment.PATH ?? '';
    const needed = [...(settings.NATS_URL ? [] : [natsServer]), ...(settings.REDIS_URL ? [] : [redisServer])];
    await ensureBinaries(needed, { path, report, runTask: supervisor.runTask });
    return await supervisor.onFreePorts(3, async ([postgresPort = 0, natsPort = 0, redisPort = 0]) => {
      const postgres = postgresProcess({ directory: join(directory, 'postgres'), port: postgresPort });
      const nats = natsProcess({ directory: join(directory, 'nats'), port: natsPort, path });
      const redis = redisProcess({ directory: join(directory, 'redis'), port: redisPort, path });
      await supervisor.start([postgres, ...(settings.NATS_URL ? [] : [nats]), ...(settings.REDIS_URL ? [] : [redis])]);
      return { postgresUrl: postgres.url, natsUrl: nats.url, redisUrl: redis.url, close };
    });
  } catch (error) {
    await close();
    throw error;
  }
}
