import type { Environment } from '@lms/config/load-config';
import type { Address, Addresses } from '../addresses.ts';
import { type Database, type DatabaseUrls, databases } from '../databases/provision.ts';
import type { Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import type { ProcessDefinition, Task } from '../supervisor/process.ts';
import { nodeCommand, nodeProcess } from './node-process.ts';

/** About what Node.js chooses in a container of 512 MiB. Elsewhere the garbage of an import grows to a hundred MiB and more. */
const nodeOptions: Partial<Record<Database, string[]>> = {
  content: ['--max-old-space-size=192'],
};

/** What the processes and tasks of the stack are configured from. */
export interface StackContext {
  settings: Settings;
  environment: Environment;
  secrets: Secrets;
  addresses: Addresses;
  publicUrl: string;
  databaseUrls: Record<Database, DatabaseUrls>;
  natsUrl: string;
  redisUrl: string;
  storagePath: string;
}

/** Creates the bucket of an external S3 storage unless it exists. */
export function bucketTask(stack: StackContext): Task {
  return {
    name: 'media-bucket',
    command: nodeCommand('services/media/dist/make-bucket.js', processEnvironment(stack, {})),
  };
}

export function serviceProcesses(stack: StackContext): ProcessDefinition[] {
  const { settings, secrets, publicUrl } = stack;
  const own: Record<Database, Record<string, string>> = {
    identity: {
      BOOTSTRAP_ADMIN_EMAILS: settings.BOOTSTRAP_ADMIN_EMAILS.join(',') || 'admin@lms.test',
      WEBHOOK_SECRETS: webhookSecrets(stack).join(' '),
      WEBHOOK_ACCEPT_UNTIMESTAMPED: String(settings.WEBHOOK_ACCEPT_UNTIMESTAMPED),
    },
    content: { PUBLIC_URL: publicUrl, SERVICE_SECRET: secrets.service },
    media: {
      PUBLIC_URL: publicUrl,
      SERVICE_SECRET: secrets.service,
      PLAYBACK_SECRET: secrets.playback,
      ...storageSettings(stack),
    },
    enrollment: {},
  };
  return databases.map((name) => {
    const { url, adminUrl } = stack.addresses[name];
    return nodeProcess({
      name,
      entry: `services/${name}/dist/main.js`,
      env: processEnvironment(stack, {
        ...listenSettings(stack.addresses[name]),
        ...serviceUrls(stack.addresses),
        DATABASE_URL: stack.databaseUrls[name].service,
        NATS_URL: stack.natsUrl,
        PASSPORT_PUBLIC_KEY: secrets.passport.publicKey,
        ...own[name],
      }),
      nodeOptions: nodeOptions[name] ?? [],
      url,
      adminUrl,
      readyUrl: `${adminUrl}/readyz`,
    });
  });
}

/** Without ffmpeg it starts as well: its readiness says what is missing. */
export function mediaWorkerProcess(stack: StackContext, workPath: string): ProcessDefinition {
  const { adminUrl, adminPort } = stack.addresses.mediaWorker;
  return nodeProcess({
    name: 'media-worker',
    entry: 'services/media/dist/worker-main.js',
    env: processEnvironment(stack, {
      ADMIN_HOST: '127.0.0.1',
      ADMIN_PORT: String(adminPort),
      DATABASE_URL: stack.databaseUrls.media.service,
      WORK_PATH: workPath,
      ...storageSettings(stack),
    }),
    url: adminUrl,
    adminUrl,
    readyUrl: `${adminUrl}/startupz`,
  });
}

export function gatewayProcess(stack: StackContext): ProcessDefinition {
  const { settings, secrets, addresses } = stack;
  const { url, adminUrl } = addresses.gateway;
  const provider = addresses.identityProvider.url;
  return nodeProcess({
    name: 'gateway',
    entry: 'gateway/dist/main.js',
    env: processEnvironment(stack, {
      ...listenSettings(addresses.gateway),
      ...serviceUrls(addresses),
      // The audience of the local provider's access tokens; its ID tokens have another. Settings of another provider are read
      // by the gateway itself.
      ...(!settings.IDP_ISSUER && { IDP_ISSUER: provider, IDP_JWKS_URL: `${provider}/jwks`, IDP_AUDIENCE: 'lms' }),
      PUBLIC_URL: stack.publicUrl,
      NATS_URL: stack.natsUrl,
      REDIS_URL: stack.redisUrl,
      PASSPORT_PRIVATE_KEY: secrets.passport.privateKey,
      CORS_ORIGINS: settings.CORS_ORIGINS.join(','),
    }),
    url,
    adminUrl,
    readyUrl: `${url}/readyz`,
  });
}

export function identityProviderProcess(stack: StackContext, dataFile: string): ProcessDefinition {
  const { identityProvider, gateway } = stack.addresses;
  const { url } = identityProvider;
  return nodeProcess({
    name: 'identity-provider',
    entry: 'infra/identity-provider/dist/main.js',
    env: processEnvironment(stack, {
      ...listenSettings(identityProvider),
      ISSUER: url,
      DATA_FILE: dataFile,
      WEBHOOK_URL: `${gateway.url}/api/webhooks/identity`,
      WEBHOOK_SECRET: webhookSecrets(stack)[0],
    }),
    url,
    readyUrl: `${url}/.well-known/openid-configuration`,
  });
}

const webhookSecrets = ({ settings, secrets }: StackContext): string[] =>
  settings.WEBHOOK_SECRETS.length > 0 ? settings.WEBHOOK_SECRETS : [secrets.webhook];

const storageSettings = ({ settings, storagePath }: StackContext) =>
  settings.S3_ENDPOINT ? { STORAGE: 's3' } : { STORAGE: 'file', STORAGE_PATH: storagePath };

function listenSettings({ port, adminPort }: Address) {
  return { HOST: '127.0.0.1', PORT: String(port), ADMIN_HOST: '127.0.0.1', ADMIN_PORT: String(adminPort) };
}

function serviceUrls({ identity, content, media, enrollment }: Addresses) {
  return { IDENTITY_URL: identity.url, CONTENT_URL: content.url, MEDIA_URL: media.url, ENROLLMENT_URL: enrollment.url };
}

/**
 * Merges `own` into the user's environment; undefined removes a variable. NAME_FILE is removed with NAME, because a process
 * would read what is removed from there. The local stack is for development, whatever NODE_ENV is in the shell.
 */
function processEnvironment({ environment }: StackContext, own: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const all = { NODE_ENV: 'development', SHUTDOWN_TIMEOUT: undefined, ...own };
  const overridden = Object.keys(all).flatMap((name) => [name, `${name}_FILE`]);
  const unchanged = Object.entries(environment).filter(([name]) => !overridden.includes(name));
  return { ...Object.fromEntries(unchanged), ...all };
}
