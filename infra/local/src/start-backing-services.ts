import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@lms/config/load-config';
import { migrateDatabase } from '@lms/database/migrate-database';
import type { Addresses } from './addresses.ts';
import { ensureBinaries, ensureOptional, ffmpeg, natsServer, redisServer } from './binaries/ensure-binaries.ts';
import {
  closeMaintenanceDatabases,
  type Database,
  type DatabaseUrls,
  databases,
  provisionDatabase,
} from './databases/provision.ts';
import { natsProcess } from './processes/nats.ts';
import { root } from './processes/node-process.ts';
import { postgresProcess } from './processes/postgres.ts';
import { redisProcess } from './processes/redis.ts';
import type { Secrets } from './secrets.ts';
import { externalDatabases, type Settings } from './settings.ts';
import { StartFailed } from './supervisor/process-definition.ts';
import type { ExternalServers } from './supervisor/run-stack.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

export interface StackOptions {
  settings: Settings;
  environment: Environment;
  directory: string;
  report(line: string): void;
}

export interface BackingServices {
  databaseUrls: Record<Database, DatabaseUrls>;
  natsUrl: string;
  redisUrl: string;
  storagePath: string;
}

/** Starts PostgreSQL, NATS and Redis, except those that run elsewhere, and prepares the storage. */
export async function startBackingServices(
  supervisor: Supervisor,
  { ports }: Addresses,
  secrets: Secrets,
  { settings, environment: { PATH: path = '' }, directory, report }: StackOptions,
): Promise<BackingServices> {
  const { POSTGRES_URL, NATS_URL, REDIS_URL } = settings;
  const servers = [...(NATS_URL ? [] : [natsServer]), ...(REDIS_URL ? [] : [redisServer])];
  const install = { path, report, runTask: supervisor.runTask };
  await ensureBinaries(servers, install);
  if (!(await ensureOptional(ffmpeg, install)))
    report('videos             not processed: ffmpeg is missing, so players get the uploaded files only');
  const storagePath = join(directory, 'storage');
  if (!settings.S3_ENDPOINT) mkdirSync(storagePath, { recursive: true, mode: 0o700 });

  const embedPostgres = !POSTGRES_URL && Object.values(externalDatabases(settings)).some((url) => url === undefined);
  const postgres = embedPostgres
    ? postgresProcess({ directory: join(directory, 'postgres'), port: ports.postgres })
    : undefined;
  const nats = NATS_URL ? undefined : natsProcess({ directory: join(directory, 'nats'), port: ports.nats, path });
  const redis = REDIS_URL ? undefined : redisProcess({ directory: join(directory, 'redis'), port: ports.redis, path });
  await supervisor.start([postgres, nats, redis].filter((definition) => definition !== undefined));
  if (postgres) await closeMaintenanceDatabases(postgres.url);

  return {
    databaseUrls: await provision(settings, secrets, POSTGRES_URL ?? postgres?.url ?? ''),
    natsUrl: NATS_URL ?? nats?.url ?? '',
    redisUrl: REDIS_URL ?? redis?.url ?? '',
    storagePath,
  };
}

/** The entries of stack.json for servers that run elsewhere, and for the storage. */
export function listExternalServers(settings: Settings, storagePath: string): ExternalServers {
  const { POSTGRES_URL, NATS_URL, REDIS_URL, IDP_ISSUER, S3_ENDPOINT } = settings;
  const postgres = POSTGRES_URL ?? settings.IDENTITY_DATABASE_URL;
  return {
    ...(postgres && { postgres: { url: postgres, pid: null } }),
    ...(NATS_URL && { nats: { url: NATS_URL, pid: null } }),
    ...(REDIS_URL && { redis: { url: REDIS_URL, pid: null } }),
    ...(IDP_ISSUER && { identityProvider: { url: IDP_ISSUER, pid: null } }),
    storage: S3_ENDPOINT ? { kind: 's3', url: S3_ENDPOINT } : { kind: 'file', path: storagePath },
  };
}

async function provision(
  settings: Settings,
  secrets: Secrets,
  superuserUrl: string,
): Promise<BackingServices['databaseUrls']> {
  const external = externalDatabases(settings);
  const urlsOf = async (name: Database): Promise<DatabaseUrls> => {
    const url = external[name];
    if (url) return { owner: url, service: url };
    return provisionDatabase(superuserUrl, name, secrets.databases[name]).catch((error: unknown) => {
      throw new StartFailed('postgres', `database ${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  return {
    identity: await urlsOf('identity'),
    content: await urlsOf('content'),
    media: await urlsOf('media'),
    enrollment: await urlsOf('enrollment'),
  };
}

/** Applies the migrations, as the services' own programs do: a process for each would take a second of processor time at every start. */
export async function migrateDatabases(urls: BackingServices['databaseUrls']): Promise<void> {
  await Promise.all(
    databases.map((name) =>
      migrateDatabase(urls[name].owner, join(root, 'services', name, 'migrations')).catch((error: unknown) => {
        throw new StartFailed(`${name}-migrations`, error instanceof Error ? error.message : String(error));
      }),
    ),
  );
}
