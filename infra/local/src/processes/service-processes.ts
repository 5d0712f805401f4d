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
  command: nodeCommand('services/media/dist/make-bucket.js', environmentOf(stack, {})),
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
    env: { DATABASE_URL: stack.databaseUrls.media.service, WORK_PATH: join(stack.directory, 'media-worker') },
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

export function identityProviderProcess(stack: StackContext, dataFile: string): ProcessDefinition {
  const { identityProvider, gateway } = stack.addresses;
  return define(stack, 'identity-provider', identityProvider, {
    entry: 'infra/identity-provider/dist/main.js',
    env: {
      ISSUER: identityProvider.url,
      DATA_FILE: dataFile,
      WEBHOOK_URL: `${gateway.url}/api/webhooks/identity`,
      WEBHOOK_SECRET: webhookSecrets(stack)[0],
    },
    adminUrl: undefined,
    readyUrl: `${identityProvider.url}/.well-known/openid-configuration`,
  });
}

function define(
  stack: StackContext,
  name: string,
  { url, port, adminUrl, adminPort }: Addresses['gateway'],
  options: Partial<NodeProcessOptions> & Pick<NodeProcessOptions, 'entry'>,
): ProcessDefinition {
  const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
  const env = environmentOf(stack, { ...ports, ...options.env });
  return nodeProcess({ name, url, adminUrl, readyUrl: `${adminUrl}/readyz`, ...options, env });
}

const webhookSecrets = ({ settings, secrets }: StackContext): string[] =>
  settings.WEBHOOK_SECRETS.length > 0 ? settings.WEBHOOK_SECRETS : [secrets.webhook];

/**
 * The user's environment, the settings that the processes share, of which each reads its own, and those of one process. NAME_FILE
 * is removed with NAME, because a process would read what is undefined from there.
 */
function environmentOf(stack: StackContext, own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { settings, secrets, environment, storagePath } = stack;
  const { gateway, identity, content, media, enrollment, identityProvider } = stack.addresses;
  const all = {
    // The local stack is for development, whatever NODE_ENV is in the shell.
    NODE_ENV: 'development',
    SHUTDOWN_TIMEOUT: undefined,
    HOST: '127.0.0.1',
    ADMIN_HOST: '127.0.0.1',
    PUBLIC_URL: settings.PUBLIC_URL ?? gateway.url,
    IDENTITY_URL: identity.url,
    CONTENT_URL: content.url,
    MEDIA_URL: media.url,
    ENROLLMENT_URL: enrollment.url,
    NATS_URL: stack.natsUrl,
    REDIS_URL: stack.redisUrl,
    STORAGE: settings.S3_ENDPOINT ? 's3' : 'file',
    STORAGE_PATH: settings.S3_ENDPOINT ? undefined : storagePath,
    PASSPORT_PRIVATE_KEY: secrets.passport.privateKey,
    PASSPORT_PUBLIC_KEY: secrets.passport.publicKey,
    PLAYBACK_SECRET: secrets.playback,
    SERVICE_SECRET: secrets.service,
    WEBHOOK_SECRETS: webhookSecrets(stack).join(' '),
    WEBHOOK_ACCEPT_UNTIMESTAMPED: String(settings.WEBHOOK_ACCEPT_UNTIMESTAMPED),
    BOOTSTRAP_ADMIN_EMAILS: settings.BOOTSTRAP_ADMIN_EMAILS.join(',') || 'admin@lms.test',
    CORS_ORIGINS: settings.CORS_ORIGINS.join(','),
    // The audience of the local provider's access tokens; its ID tokens have another. Settings of another provider are read by
    // the gateway itself.
    ...(!settings.IDP_ISSUER && {
      IDP_ISSUER: identityProvider.url,
      IDP_JWKS_URL: `${identityProvider.url}/jwks`,
      IDP_AUDIENCE: 'lms',
    }),
    ...own,
  };
  const overridden = Object.keys(all).flatMap((name) => [name, `${name}_FILE`]);
  const unchanged = Object.entries(environment).filter(([name]) => !overridden.includes(name));
  return { ...Object.fromEntries(unchanged), ...all };
}
