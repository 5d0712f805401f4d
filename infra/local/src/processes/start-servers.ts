import { join } from 'node:path';
import type { Environment } from '@lms/config/load-config';
import type { Addresses } from '../addresses.ts';
import { ensureBinaries, natsServer, redisServer } from '../binaries/ensure-binaries.ts';
import { closeMaintenanceDatabases } from '../databases/provision.ts';
import { externalDatabases, type Settings } from '../settings.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { natsProcess } from './nats.ts';
import { postgresProcess } from './postgres.ts';
import { redisProcess } from './redis.ts';

export interface ServerSettings {
  settings: Settings;
  environment: Environment;
  /** The data directory. */
  directory: string;
  report(line: string): void;
}

/** The URL of PostgreSQL is that of its superuser; it is empty if every database has a URL of its own. */
export interface ServerUrls {
  postgresUrl: string;
  natsUrl: string;
  redisUrl: string;
}

/** Starts PostgreSQL, NATS and Redis, except those that run elsewhere. */
export async function startServers(
  supervisor: Supervisor,
  ports: Addresses['ports'],
  { settings, environment: { PATH: path = '' }, directory, report }: ServerSettings,
): Promise<ServerUrls> {
  const { POSTGRES_URL, NATS_URL, REDIS_URL } = settings;
  const binaries = [...(NATS_URL ? [] : [natsServer]), ...(REDIS_URL ? [] : [redisServer])];
  await ensureBinaries(binaries, { path, report, runTask: supervisor.runTask });
  const embedPostgres = !POSTGRES_URL && Object.values(externalDatabases(settings)).some((url) => url === undefined);
  const postgres = embedPostgres
    ? postgresProcess({ directory: join(directory, 'postgres'), port: ports.postgres })
    : undefined;
  const nats = NATS_URL ? undefined : natsProcess({ directory: join(directory, 'nats'), port: ports.nats, path });
  const redis = REDIS_URL ? undefined : redisProcess({ directory: join(directory, 'redis'), port: ports.redis, path });
  await supervisor.start([postgres, nats, redis].filter((definition) => definition !== undefined));
  if (postgres) await closeMaintenanceDatabases(postgres.url);
  return {
    postgresUrl: POSTGRES_URL ?? postgres?.url ?? '',
    natsUrl: NATS_URL ?? nats?.url ?? '',
    redisUrl: REDIS_URL ?? redis?.url ?? '',
  };
}
