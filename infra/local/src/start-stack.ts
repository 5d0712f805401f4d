import { join } from 'node:path';
import { loadConfig } from '@lms/config/load-config';
import { migrateDatabase } from '@lms/database/migrate-database';
import { ensureBinaries } from './binaries/ensure-binaries.ts';
import { type Database, databases, forEachDatabase, provisionDatabase, type Roles } from './databases/provision.ts';
import { type ServerSettings, type ServerUrls, startServers } from './processes/servers.ts';
import { loadOrCreateSecrets, type Secrets } from './secrets.ts';
import { isSeeded, SeedSettings, seed } from './seed/seed.ts';
import { externalDatabases, type Settings } from './settings.ts';
import { isFree } from './supervisor/free-ports.ts';
import { messageOf, type ProcessDefinition, root, runTask, StartFailed } from './supervisor/process.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

/**
 * Without these, starting and serving leave free memory in each process: V8 keeps the space for new objects at its largest, and
 * glibc has a heap for each thread. A smaller space for new objects costs processor time: infra/bench/README.md.
 */
const memoryOptions = ['--max-semi-space-size=8'];
const allocatorSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/** The number of ports that a stack needs if none is configured. */
const portsPerStack = 17;

/** What the processes of the stack are configured from. */
export interface StackContext extends ServerSettings, ServerUrls {
  secrets: Secrets;
  addresses: Addresses;
  databaseUrls: Record<Database, Roles>;
  storagePath: string;
}

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
  const external = externalDatabases(settings);
  const databaseUrls = await forEachDatabase(async (name) => {
    const url = external[name];
    if (url) return { owner: url, service: url };
    return failAs('postgres', provisionDatabase(serverUrls.postgresUrl, name, secrets.databases[name]));
  });
  const context = {
    ...options,
    ...serverUrls,
    secrets,
    addresses,
    databaseUrls,
    storagePath: storagePathIn(directory),
  };
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

type Addresses = ReturnType<typeof assignAddresses>;

/** Assigns configured and free ports to the processes. A process that is restarted gets the same ones. */
function assignAddresses({ GATEWAY_PORT, IDP_PORT }: Settings, ports: readonly number[]) {
  const remaining = [...ports];
  const next = () => remaining.pop() ?? 0;
  const address = (fixed = 0) => {
    const [port, adminPort] = [fixed || next(), next()];
    return { port, url: `http://127.0.0.1:${port}`, adminPort, adminUrl: `http://127.0.0.1:${adminPort}` };
  };
  return {
    gateway: address(GATEWAY_PORT),
    identityProvider: address(IDP_PORT),
    identity: address(),
    content: address(),
    media: address(),
    mediaWorker: address(),
    enrollment: address(),
    ports: { postgres: next(), nats: next(), redis: next() },
  };
}

function serviceProcesses(stack: StackContext): ProcessDefinition[] {
  const { addresses, databaseUrls } = stack;
  const services = databases.map((name) => {
    // About what Node.js chooses in a container of 512 MiB. Elsewhere the garbage of an import grows to a hundred MiB and more.
    const options = name === 'content' ? ['--max-old-space-size=192'] : [];
    const args = [...options, `services/${name}/dist/main.js`];
    return define(stack, name, addresses[name], { args, databaseUrl: databaseUrls[name].service });
  });
  // Without ffmpeg it starts as well: its readiness says what is missing.
  const worker = define(stack, 'media-worker', addresses.mediaWorker, {
    args: ['services/media/dist/worker-main.js'],
    databaseUrl: databaseUrls.media.service,
    readyUrl: `${addresses.mediaWorker.adminUrl}/startupz`,
  });
  return [...services, { ...worker, url: addresses.mediaWorker.adminUrl }];
}

export const gatewayProcess = (stack: StackContext): ProcessDefinition =>
  define(stack, 'gateway', stack.addresses.gateway, {
    args: ['gateway/dist/main.js'],
    readyUrl: `${stack.addresses.gateway.url}/readyz`,
  });

const identityProviderProcess = (stack: StackContext): ProcessDefinition => ({
  ...define(stack, 'identity-provider', stack.addresses.identityProvider, {
    args: ['infra/identity-provider/dist/main.js'],
    readyUrl: `${stack.addresses.identityProvider.url}/.well-known/openid-configuration`,
  }),
  adminUrl: undefined,
});

interface ProgramOptions {
  /** The compiled file, relative to the root of the repository, after options of Node.js. */
  args: string[];
  databaseUrl?: string;
  /** Responds with 200 when the process is ready. */
  readyUrl?: string;
}

function define(
  stack: StackContext,
  name: string,
  { url, port, adminUrl, adminPort }: Addresses['gateway'],
  { args, databaseUrl, readyUrl = `${adminUrl}/readyz` }: ProgramOptions,
): ProcessDefinition {
  const own = { PORT: String(port), ADMIN_PORT: String(adminPort), DATABASE_URL: databaseUrl };
  const env = { ...allocatorSettings, ...environmentOf(stack), ...own };
  return {
    ...{ name, url, adminUrl, stopSignal: 'SIGTERM' },
    // Longer than SHUTDOWN_TIMEOUT.
    stopTimeoutMs: 22_000,
    command: () => ({ file: process.execPath, args: [...memoryOptions, ...args], env, cwd: root }),
    async probe() {
      const response = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) });
      const body = await response.text();
      if (!response.ok) throw new Error(`${readyUrl} responded with ${response.status} ${body.slice(0, 300)}`);
    },
  };
}

/** The user's environment and the settings of all processes and of the seeding, of which each reads its own. */
function environmentOf({ settings, secrets, addresses, ...stack }: StackContext): NodeJS.ProcessEnv {
  const { gateway, identityProvider } = addresses;
  const webhookSecrets = settings.WEBHOOK_SECRETS.length > 0 ? settings.WEBHOOK_SECRETS : [secrets.webhook];
  return {
    ...stack.environment,
    // The local stack is for development, whatever NODE_ENV is in the shell.
    NODE_ENV: 'development',
    SHUTDOWN_TIMEOUT: undefined,
    DATA_DIR: stack.directory,
    HOST: '127.0.0.1',
    ADMIN_HOST: '127.0.0.1',
    PUBLIC_URL: settings.PUBLIC_URL ?? gateway.url,
    IDENTITY_URL: addresses.identity.url,
    CONTENT_URL: addresses.content.url,
    MEDIA_URL: addresses.media.url,
    ENROLLMENT_URL: addresses.enrollment.url,
    NATS_URL: stack.natsUrl,
    REDIS_URL: stack.redisUrl,
    STORAGE: settings.S3_ENDPOINT ? 's3' : 'file',
    STORAGE_PATH: stack.storagePath,
    WORK_PATH: join(stack.directory, 'media-worker'),
    PASSPORT_PRIVATE_KEY: secrets.passport.privateKey,
    PASSPORT_PUBLIC_KEY: secrets.passport.publicKey,
    PLAYBACK_SECRET: secrets.playback,
    SERVICE_SECRET: secrets.service,
    WEBHOOK_SECRETS: webhookSecrets.join(' '),
    WEBHOOK_ACCEPT_UNTIMESTAMPED: String(settings.WEBHOOK_ACCEPT_UNTIMESTAMPED),
    BOOTSTRAP_ADMIN_EMAILS: settings.BOOTSTRAP_ADMIN_EMAILS.join(',') || 'admin@lms.test',
    CORS_ORIGINS: settings.CORS_ORIGINS.join(','),
    IDP_ISSUER: settings.IDP_ISSUER ?? identityProvider.url,
    IDP_JWKS_URL: settings.IDP_JWKS_URL ?? `${identityProvider.url}/jwks`,
    // That of the local provider's access tokens; its ID tokens have another.
    IDP_AUDIENCE: settings.IDP_ISSUER ? settings.IDP_AUDIENCE : 'lms',
    // Of the local provider.
    ISSUER: identityProvider.url,
    LOCAL_ISSUER: identityProvider.url,
    IDP_URL: identityProvider.url,
    DATA_FILE: join(stack.directory, 'identity-provider', 'state.json'),
    WEBHOOK_URL: `${gateway.url}/api/webhooks/identity`,
    WEBHOOK_SECRET: webhookSecrets[0],
  };
}
