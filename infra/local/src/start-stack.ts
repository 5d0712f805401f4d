import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@lms/config/load-config';
import { migrateDatabase } from '@lms/database/migrate-database';
import { ensureBinaries } from './binaries/ensure-binaries.ts';
import { forEachDatabase, provisionDatabase } from './databases/provision.ts';
import { type ServerSettings, startServers } from './processes/servers.ts';
import {
  type Addresses,
  assignAddresses,
  environmentOf,
  gatewayProcess,
  identityProviderProcess,
  portsPerStack,
  root,
  type StackContext,
  serviceProcesses,
} from './processes/service-processes.ts';
import { loadOrCreateSecrets } from './secrets.ts';
import { isSeeded, SeedSettings, seed } from './seed/seed.ts';
import { externalDatabases, type Settings } from './settings.ts';
import { isFree } from './supervisor/free-ports.ts';
import { messageOf, runTask, StartFailed } from './supervisor/process.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

/** Starts all processes in order. Resolves when the sample content exists and the gateway is ready. */
export async function startStack(supervisor: Supervisor, options: ServerSettings): Promise<StackContext> {
  const { GATEWAY_PORT, IDP_PORT, IDP_ISSUER } = options.settings;
  await assertFree('gateway', 'GATEWAY_PORT', GATEWAY_PORT);
  if (!IDP_ISSUER) await assertFree('identity provider', 'IDP_PORT', IDP_PORT);
  return supervisor.onFreePorts(portsPerStack, (ports) =>
    startAt(assignAddresses(options.settings, ports), supervisor, options),
  );
}

async function assertFree(name: string, setting: string, port: number): Promise<void> {
  if (port === 0 || (await isFree(port))) return;
  const hint = `stop the program that uses it, or set ${setting} to another port (0 for any free port)`;
  throw new StartFailed(name, `port ${port} is in use; ${hint}`);
}

async function startAt(addresses: Addresses, supervisor: Supervisor, options: ServerSettings): Promise<StackContext> {
  const { settings, directory, report } = options;
  const secrets = loadOrCreateSecrets(directory);
  const serverUrls = await startServers(supervisor, addresses.ports, options);
  await ensureBinaries(['ffmpeg'], { report, runTask }).catch(() =>
    report('videos             not processed: ffmpeg is missing, so players get the uploaded files only'),
  );
  const storagePath = storagePathIn(directory);
  for (const path of [storagePath, join(directory, 'identity-provider')])
    mkdirSync(path, { recursive: true, mode: 0o700 });

  const external = externalDatabases(settings);
  const databaseUrls = await forEachDatabase(async (name) => {
    const url = external[name];
    if (url) return { owner: url, service: url };
    return failAs('postgres', provisionDatabase(serverUrls.postgresUrl, name, secrets.databases[name]));
  });
  const context = { ...options, ...serverUrls, secrets, addresses, storagePath, databaseUrls };
  // As the services' own programs do: a process for each would take a second of processor time at every start.
  const migrations = Object.entries(databaseUrls).map(([name, { owner }]) =>
    failAs(`${name}-migrations`, migrateDatabase(owner, join(root, 'services', name, 'migrations'))),
  );
  const provider = settings.IDP_JWKS_URL
    ? warnUnlessReachable(settings.IDP_JWKS_URL, report)
    : supervisor.start([identityProviderProcess(context)]);
  const bucket = settings.S3_ENDPOINT && makeBucket(options.environment);
  await Promise.all([...migrations, provider, bucket]);
  report('databases          migrated');

  const services = supervisor.start(serviceProcesses(context));
  // No client may see or change incomplete sample content.
  if (!isSeeded(directory, settings.SEED)) {
    await services;
    await seed(loadConfig(SeedSettings, environmentOf(context)), report);
  }
  await Promise.all([services, supervisor.start([gatewayProcess(context)])]);
  return context;
}

/** Creates the bucket of an external storage unless it exists. */
function makeBucket(env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['services/media/dist/make-bucket.js'];
  return runTask({ name: 'media-bucket', command: { file: process.execPath, args, env, cwd: root } });
}

/** Names the part in the error. */
const failAs = <T>(part: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw new StartFailed(part, messageOf(error));
  });

async function warnUnlessReachable(jwksUrl: string, report: (line: string) => void): Promise<void> {
  await fetch(jwksUrl, { signal: AbortSignal.timeout(3_000) }).catch(() =>
    report(`identity provider  unreachable at ${jwksUrl}; requests with a token get a 503 until its keys are loaded`),
  );
}

const storagePathIn = (directory: string) => join(directory, 'storage');

/** The entries of stack.json for servers that run elsewhere, and for the storage. */
export function listExternalServers(settings: Settings, directory: string) {
  const entry = (url: string | undefined) => url && { url, pid: null };
  return {
    postgres: entry(settings.POSTGRES_URL ?? settings.IDENTITY_DATABASE_URL),
    nats: entry(settings.NATS_URL),
    redis: entry(settings.REDIS_URL),
    identityProvider: entry(settings.IDP_ISSUER),
    storage: settings.S3_ENDPOINT
      ? { kind: 's3', url: settings.S3_ENDPOINT }
      : { kind: 'file', path: storagePathIn(directory) },
  };
}
