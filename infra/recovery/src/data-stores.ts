import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { Type } from '@sinclair/typebox';
import { Redis } from 'ioredis';
import { type Database, databases, forEachDatabase, provisionDatabase } from 'local/databases';
import { DirectoryInUse, lockDirectory } from 'local/directory-lock';
import { type ServerSettings, type ServerUrls, startServers } from 'local/processes/servers';
import { readStackFile } from 'local/running-stack';
import { loadOrCreateSecrets } from 'local/secrets';
import { externalDatabases, loadSettings } from 'local/settings';
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
  redis: Redis;
  natsUrl: string;
  /** The data directory. */
  directory: string;
  /** Prints progress. */
  report(line: string): void;
}

/** The options of the commands. */
export type Options = { listObjects?: true | undefined; replace?: true | undefined };

type Purpose = 'backup' | 'restore';
type Work = (stores: DataStores, folder: string, options: Options) => Promise<void>;

// EX_USAGE of sysexits.h.
const usageExitCode = 64;

/** Runs a command with the data stores, its folder and its options, and exits. */
export async function runCommand(purpose: Purpose, command: Command<[string], Options>, work: Work): Promise<void> {
  command.showHelpAfterError().exitOverride(({ exitCode }) => process.exit(exitCode && usageExitCode));
  const [folder] = command.parse().processedArgs;
  try {
    await withDataStores(purpose, (stores) => work(stores, resolve(folder), command.opts()));
    console.log('done');
    process.exit();
  } catch (error) {
    const isExpected = [RecoveryError, ConfigError, DirectoryInUse].some((kind) => error instanceof kind);
    console.error(isExpected ? Object(error).message : error);
    process.exit(error instanceof ConfigError ? configExitCode : 1);
  }
}

/**
 * Opens the data stores of a system from the settings of `npm start`. Stores without a setting are those of the local stack in
 * DATA_DIR: its servers are used if it is running (backup only), and started otherwise.
 */
async function withDataStores(purpose: Purpose, work: (stores: DataStores) => Promise<void>) {
  const settings = loadSettings(process.env);
  const { STORAGE_PATH } = loadConfig(Type.Object({ STORAGE_PATH: Type.Optional(Type.String()) }), process.env);
  const { S3_ENDPOINT, S3_BUCKET, NATS_URL = '', REDIS_URL = '' } = settings;
  const directory = resolve(settings.DATA_DIR);
  const report = (line: string) => console.log(line);
  const has = (name: string) => existsSync(join(directory, name));
  const urls = externalDatabases(settings);
  const isProvisioned = databases.some((name) => !urls[name]);
  // A local stack whose databases are all external has no PostgreSQL of its own.
  const isLocal = isProvisioned || (has('secrets.json') && !has('postgres'));

  // Without a local stack, no store can stand in for one that was forgotten.
  const needed = { REDIS_URL, 'S3_BUCKET or STORAGE_PATH': S3_BUCKET ?? STORAGE_PATH };
  const missing = Object.entries(purpose === 'restore' ? { ...needed, NATS_URL } : needed).filter(([, url]) => !url);
  if (!isLocal && missing.length > 0) throw new ConfigError(missing.map(([name]) => `${name}: is required`));

  const open = async ({ postgresUrl, natsUrl, redisUrl }: ServerUrls) => {
    const ownerOf = async (name: Database) =>
      (await provisionDatabase(postgresUrl, name, loadOrCreateSecrets(directory).databases[name])).owner;
    const superuserOf = (name: Database) => Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href;
    const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
    redis.on('error', ({ message }) => report(`Redis      ${message}`));
    await redis.connect();
    const storage = await openStorage({
      ...settings,
      // A local stack uses S3 only with S3_ENDPOINT; elsewhere a bucket without it is one of AWS.
      STORAGE: S3_ENDPOINT || (S3_BUCKET && !isLocal) ? 's3' : 'file',
      STORAGE_PATH: STORAGE_PATH ?? join(directory, 'storage'),
    });
    await work({
      databases: await forEachDatabase(async (name) => urls[name] ?? superuserOf(name)),
      ...(isProvisioned && { provision: () => forEachDatabase(async (name) => urls[name] ?? ownerOf(name)) }),
      ...{ storage, redis, natsUrl, directory, report },
    }).finally(() => redis.disconnect());
  };
  if (isLocal) await withServers(purpose, { settings, environment: process.env, directory, report }, open);
  else await open({ postgresUrl: '', natsUrl: NATS_URL, redisUrl: REDIS_URL });
}

/** Uses the servers of the local stack, and starts them if it is not running. @throws DirectoryInUse for a restore while it is running */
async function withServers(purpose: Purpose, settings: ServerSettings, work: (urls: ServerUrls) => Promise<void>) {
  const { directory } = settings;
  const lock = await lockDirectory(directory).catch((error: unknown) => {
    if (purpose === 'restore' || !(error instanceof DirectoryInUse)) throw error;
  });
  if (!lock) {
    const { postgres, nats, redis } = await readStackFile(directory);
    return work({ postgresUrl: postgres.url, natsUrl: nats.url, redisUrl: redis.url });
  }
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs') });
  try {
    const urls = await supervisor.onFreePorts(3, ([postgres = 0, nats = 0, redis = 0]) =>
      startServers(supervisor, { postgres, nats, redis }, settings),
    );
    await work(urls);
  } finally {
    await supervisor.stop();
    lock.release();
  }
}
