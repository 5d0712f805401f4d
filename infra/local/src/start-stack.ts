import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrateDatabase } from '@lms/database/migrate-database';
import { type Addresses, assertFixedPortsAreFree, assignAddresses, portsPerStack } from './addresses.ts';
import { ensureBinaries, ffmpeg } from './binaries/ensure-binaries.ts';
import { databases, forEachDatabase, provisionDatabase } from './databases/provision.ts';
import { root } from './processes/node-process.ts';
import { type ServerSettings, startServers } from './processes/servers.ts';
import {
  bucketTask,
  gatewayProcess,
  identityProviderProcess,
  mediaWorkerProcess,
  type StackContext,
  serviceProcesses,
} from './processes/service-processes.ts';
import { loadOrCreateSecrets, type Secrets } from './secrets.ts';
import { isSeeded, type SeedTarget, seed } from './seed/seed.ts';
import { externalDatabases, type Settings } from './settings.ts';
import { messageOf, StartFailed } from './supervisor/process.ts';
import type { ExternalServers } from './supervisor/run-stack.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

/** Starts all processes in order. Resolves when the sample content exists and the gateway is ready. */
export async function startStack(supervisor: Supervisor, options: ServerSettings): Promise<StackContext> {
  await assertFixedPortsAreFree(options.settings);
  return supervisor.onFreePorts(portsPerStack, (ports) =>
    startAt(assignAddresses(options.settings, ports), supervisor, options),
  );
}

async function startAt(addresses: Addresses, supervisor: Supervisor, options: ServerSettings): Promise<StackContext> {
  const { settings, environment, directory, report } = options;
  const secrets = loadOrCreateSecrets(directory);
  const { postgresUrl, ...serverUrls } = await startServers(supervisor, addresses.ports, options);
  await ensureBinaries([ffmpeg], { report, runTask: supervisor.runTask }).catch(() =>
    report('videos             not processed: ffmpeg is missing, so players get the uploaded files only'),
  );
  const storagePath = storagePathIn(directory);
  if (!settings.S3_ENDPOINT) mkdirSync(storagePath, { recursive: true, mode: 0o700 });

  const context: StackContext = {
    ...{ settings, environment, secrets, addresses, storagePath },
    publicUrl: settings.PUBLIC_URL ?? addresses.gateway.url,
    databaseUrls: await provision(settings, secrets, postgresUrl),
    ...serverUrls,
  };
  const migrate = async () => {
    await migrateDatabases(context.databaseUrls);
    report('databases          migrated');
  };
  const makeBucket = async () => {
    if (!settings.S3_ENDPOINT) return;
    await supervisor.runTask(bucketTask(context));
    report('bucket             exists');
  };
  const startProvider = async () => {
    if (settings.IDP_JWKS_URL) return warnUnlessReachable(settings.IDP_JWKS_URL, report);
    const providerDirectory = join(directory, 'identity-provider');
    mkdirSync(providerDirectory, { recursive: true, mode: 0o700 });
    await supervisor.start([identityProviderProcess(context, join(providerDirectory, 'state.json'))]);
  };
  await Promise.all([migrate(), makeBucket(), startProvider()]);
  const workPath = join(directory, 'media-worker');
  const services = supervisor.start([...serviceProcesses(context), mediaWorkerProcess(context, workPath)]);
  // No client may see or change incomplete sample content.
  if (!isSeeded(directory, settings.SEED)) {
    await services;
    await seed(seedTarget(context), directory, report);
  }
  await Promise.all([services, supervisor.start([gatewayProcess(context)])]);
  return context;
}

function seedTarget({ settings, secrets, addresses }: StackContext): SeedTarget {
  return {
    services: addresses,
    privateKey: secrets.passport.privateKey,
    providerUrl: settings.IDP_ISSUER ? undefined : addresses.identityProvider.url,
    sampleContent: settings.SEED,
  };
}

async function warnUnlessReachable(jwksUrl: string, report: (line: string) => void): Promise<void> {
  const isReachable = await fetch(jwksUrl, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isReachable)
    report(`identity provider  unreachable at ${jwksUrl}; requests with a token get a 503 until its keys are loaded`);
}

const storagePathIn = (directory: string) => join(directory, 'storage');

/** The entries of stack.json for servers that run elsewhere, and for the storage. */
export function listExternalServers(settings: Settings, directory: string): ExternalServers {
  const { POSTGRES_URL, NATS_URL, REDIS_URL, IDP_ISSUER, S3_ENDPOINT } = settings;
  const postgres = POSTGRES_URL ?? settings.IDENTITY_DATABASE_URL;
  return {
    ...(postgres && { postgres: { url: postgres, pid: null } }),
    ...(NATS_URL && { nats: { url: NATS_URL, pid: null } }),
    ...(REDIS_URL && { redis: { url: REDIS_URL, pid: null } }),
    ...(IDP_ISSUER && { identityProvider: { url: IDP_ISSUER, pid: null } }),
    storage: S3_ENDPOINT ? { kind: 's3', url: S3_ENDPOINT } : { kind: 'file', path: storagePathIn(directory) },
  };
}

function provision(settings: Settings, secrets: Secrets, superuserUrl: string): Promise<StackContext['databaseUrls']> {
  const external = externalDatabases(settings);
  return forEachDatabase(async (name) => {
    const url = external[name];
    if (url) return { owner: url, service: url };
    return provisionDatabase(superuserUrl, name, secrets.databases[name]).catch((error: unknown) => {
      throw new StartFailed('postgres', `database ${name}: ${messageOf(error)}`);
    });
  });
}

/** Applies the migrations, as the services' own programs do: a process for each would take a second of processor time at every start. */
async function migrateDatabases(urls: StackContext['databaseUrls']): Promise<void> {
  await Promise.all(
    databases.map((name) =>
      migrateDatabase(urls[name].owner, join(root, 'services', name, 'migrations')).catch((error: unknown) => {
        throw new StartFailed(`${name}-migrations`, messageOf(error));
      }),
    ),
  );
}
