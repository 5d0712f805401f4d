import { join } from 'node:path';
import { type Database, databases, type Roles } from '../databases/provision.ts';
import type { Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import type { ProcessDefinition, Task } from '../supervisor/process.ts';
import { type NodeProcessOptions, nodeCommand, nodeProcess } from './node-process.ts';
import type { ServerSettings, ServerUrls } from './servers.ts';

/** The number of ports that a stack needs if none is configured. */
export const portsPerStack = 17;

export type Addresses = ReturnType<typeof assignAddresses>;

/** Assigns configured and free ports to the processes. A process that is restarted gets the same ones. */
export function assignAddresses({ GATEWAY_PORT, IDP_PORT }: Settings, ports: readonly number[]) {
  const remaining = [...ports];
  const next = () => remaining.pop() ?? 0;
  const urlOf = (port: number) => `http://127.0.0.1:${port}`;
  const address = (fixed = 0) => {
    const [port, adminPort] = [fixed || next(), next()];
    return { port, url: urlOf(port), adminPort, adminUrl: urlOf(adminPort) };
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

/** What the processes and tasks of the stack are configured from. */
export interface StackContext extends ServerSettings, ServerUrls {
  secrets: Secrets;
  addresses: Addresses;
  databaseUrls: Record<Database, Roles>;
  storagePath: string;
}

/** Creates the bucket of an external S3 storage unless it exists. */
export const bucketTask = (stack: StackContext): Task => ({
  name: 'media-bucket',
  command: nodeCommand('services/media/dist/make-bucket.js', environmentOf(stack)),
});

export function serviceProcesses(stack: StackContext): ProcessDefinition[] {
  const services = databases.map((name) =>
    define(stack, name, stack.addresses[name], {
      entry: `services/${name}/dist/main.js`,
      env: { DATABASE_URL: stack.databaseUrls[name].service },
      // About what Node.js chooses in a container of 512 MiB. Elsewhere the garbage of an import grows to a hundred MiB and more.
      nodeOptions: name === 'content' ? ['--max-old-space-size=192'] : [],
    }),
  );
  const { mediaWorker } = stack.addresses;
  // Without ffmpeg it starts as well: its readiness says what is missing.
  const worker = define(stack, 'media-worker', mediaWorker, {
    entry: 'services/media/dist/worker-main.js',
    env: { DATABASE_URL: stack.databaseUrls.media.service },
    url: mediaWorker.adminUrl,
    readyUrl: `${mediaWorker.adminUrl}/startupz`,
  });
  return [...services, worker];
}

export const gatewayProcess = (stack: StackContext): ProcessDefinition =>
  define(stack, 'gateway', stack.addresses.gateway, {
    entry: 'gateway/dist/main.js',
    readyUrl: `${stack.addresses.gateway.url}/readyz`,
  });

export const identityProviderProcess = (stack: StackContext): ProcessDefinition =>
  define(stack, 'identity-provider', stack.addresses.identityProvider, {
    entry: 'infra/identity-provider/dist/main.js',
    adminUrl: undefined,
    readyUrl: `${stack.addresses.identityProvider.url}/.well-known/openid-configuration`,
  });

function define(
  stack: StackContext,
  name: string,
  { url, port, adminUrl, adminPort }: Addresses['gateway'],
  options: Partial<NodeProcessOptions> & Pick<NodeProcessOptions, 'entry'>,
): ProcessDefinition {
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  const env = { ...environmentOf(stack), ...ports, ...options.env };
  return nodeProcess({ name, url, adminUrl, readyUrl: `${adminUrl}/readyz`, ...options, env });
}

/** The user's environment and the settings of all processes, of which each reads its own. */
function environmentOf({ settings, secrets, addresses, ...stack }: StackContext): NodeJS.ProcessEnv {
  const { gateway, identityProvider } = addresses;
  const webhookSecrets = settings.WEBHOOK_SECRETS.length > 0 ? settings.WEBHOOK_SECRETS : [secrets.webhook];
  return {
    ...stack.environment,
    // The local stack is for development, whatever NODE_ENV is in the shell.
    NODE_ENV: 'development',
    SHUTDOWN_TIMEOUT: undefined,
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
    DATA_FILE: join(stack.directory, 'identity-provider', 'state.json'),
    WEBHOOK_URL: `${gateway.url}/api/webhooks/identity`,
    WEBHOOK_SECRET: webhookSecrets[0],
  };
}
