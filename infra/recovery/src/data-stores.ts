import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Environment, loadConfig } from '@lms/config/load-config';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Database, databases, forEachDatabase, provisionDatabase } from 'local/databases';
import { DirectoryInUse, lockDirectory } from 'local/directory-lock';
import { type ServerSettings, type ServerUrls, startServers } from 'local/processes/servers';
import { readStackFile } from 'local/running-stack';
import { loadOrCreateSecrets } from 'local/secrets';
import { externalDatabases, loadSettings, type Settings } from 'local/settings';
import { createSupervisor } from 'local/supervisor';
import type { Storage } from 'media/storage';
import { openStorage } from 'media/storage/open-storage';
import { RecoveryError } from './manifest.ts';

/** The data stores of a system. */
export interface DataStores {
  /** URLs of roles that can read all tables; for a restore without `provision`, of the owner roles. */
  databases: Record<Database, string>;
  /** Creates the databases and roles that are missing and sets the passwords, as `npm start` does. Returns the URLs of the owner roles. */
  provision?(): Promise<Record<Database, string>>;
  storage: Storage;
  natsUrl: string | undefined;
  redisUrl: string | undefined;
  /** The data directory of a local stack with a local identity provider. */
  localState: string | undefined;
}

/**
 * Opens the data stores of a system from the settings of `npm start`. Stores without a setting are those of the local stack in
 * DATA_DIR: its servers are used if it is running (backup only), and started otherwise.
 */
export async function openDataStores(
  environment: Environment,
  purpose: 'backup' | 'restore',
  report: (line: string) => void,
): Promise<DataStores & Pick<Servers, 'close'>> {
  const settings = loadSettings(environment);
  const directory = resolve(settings.DATA_DIR);
  const urls = externalDatabases(settings);
  const has = (name: string) => existsSync(join(directory, name));
  const isProvisioned = databases.some((name) => !urls[name]);
  // A local stack whose databases are all external has no PostgreSQL of its own.
  const isLocal = isProvisioned || (has('secrets.json') && !has('postgres'));
  const { STORAGE_PATH } = loadConfig(FileSettings, environment);
  if (!isLocal) requireStores(settings, STORAGE_PATH, purpose);

  const servers = isLocal ? await openServers({ settings, environment, directory, report }, purpose) : closed;
  const superuserUrl = settings.POSTGRES_URL ?? servers.postgresUrl ?? '';
  const provision = async (name: Database) =>
    (await provisionDatabase(superuserUrl, name, loadOrCreateSecrets(directory).databases[name])).owner;
  try {
    return {
      databases: await forEachDatabase(
        async (name) => urls[name] ?? Object.assign(new URL(superuserUrl), { pathname: `/${name}` }).href,
      ),
      ...(isProvisioned && { provision: () => forEachDatabase(async (name) => urls[name] ?? provision(name)) }),
      storage: await openStorage(storageSettings(settings, STORAGE_PATH ?? join(directory, 'storage'), isLocal)),
      natsUrl: settings.NATS_URL ?? servers.natsUrl,
      redisUrl: settings.REDIS_URL ?? servers.redisUrl,
      localState: settings.IDP_ISSUER ? undefined : directory,
      close: servers.close,
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** @throws RecoveryError unless all stores are set: without a local stack, none can stand in for one that was forgotten */
function requireStores(settings: Settings, storagePath: string | undefined, purpose: 'backup' | 'restore') {
  if (purpose === 'restore' && !settings.NATS_URL)
    throw new RecoveryError('NATS_URL: is required, because the stream has to be deleted');
  if (!settings.REDIS_URL) throw new RecoveryError('REDIS_URL: is required, because Redis has the usage of the month');
  if (!settings.S3_BUCKET && !storagePath)
    throw new RecoveryError('S3_BUCKET or STORAGE_PATH: is required, because videos and documents are there');
}

interface Servers extends Partial<ServerUrls> {
  close(): Promise<void>;
}
const closed: Servers = { close: async () => undefined };

const Server = Type.Object({ url: Type.String() });
const Stack = Type.Object({ postgres: Server, nats: Server, redis: Server });

/** Returns the servers of the local stack, and starts them if it is not running. @throws DirectoryInUse for a restore while it is running */
async function openServers(settings: ServerSettings, purpose: 'backup' | 'restore'): Promise<Servers> {
  const { directory, report } = settings;
  const lock = await lockDirectory(directory, report).catch((error: unknown) => {
    if (purpose === 'restore' || !(error instanceof DirectoryInUse)) throw error;
  });
  if (!lock) {
    const { postgres, nats, redis } = Value.Parse(Stack, await readStackFile(directory));
    return { postgresUrl: postgres.url, natsUrl: nats.url, redisUrl: redis.url, ...closed };
  }
  const onChange = () => lock.record(supervisor);
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs'), onChange });
  const close = async () => {
    await supervisor.stop();
    lock.release();
  };
  try {
    const urls = await supervisor.onFreePorts(3, ([postgres = 0, nats = 0, redis = 0]) =>
      startServers(supervisor, { postgres, nats, redis }, settings),
    );
    return { ...urls, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const FileSettings = Type.Object({ STORAGE_PATH: Type.Optional(Type.String()) });

/** A local stack uses S3 only with S3_ENDPOINT; elsewhere a bucket without it is one of AWS. */
function storageSettings(settings: Settings, STORAGE_PATH: string, isLocal: boolean) {
  const isS3 = settings.S3_ENDPOINT || (settings.S3_BUCKET && !isLocal);
  return { ...settings, STORAGE: isS3 ? 's3' : 'file', STORAGE_PATH } as const;
}
