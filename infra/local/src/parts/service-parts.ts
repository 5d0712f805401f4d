import type { Environment } from '@lms/config/load-config';
import type { Address, Addresses } from '../addresses.ts';
import { type Database, type DatabaseUrls, databases } from '../databases/provision.ts';
import { extendEnvironment } from '../environment.ts';
import type { Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import type { Part, Task } from '../supervisor/part.ts';
import { nodeCommand, nodePart } from './node-part.ts';

const gracefulMs = 22_000;

/** Everything that the parts written here need to know about the house they live in. */
export interface House {
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

interface WebhookSettings {
  settings: Pick<Settings, 'WEBHOOK_SECRETS'>;
  secrets: Pick<Secrets, 'webhook'>;
}

export function migrationTasks(house: House): Task[] {
  return databases.map((name) => {
    const url = house.databaseUrls[name].owner;
    const env = processEnvironment(house, { MIGRATION_DATABASE_URL: url, DATABASE_URL: url });
    return { name: `${name}-migrations`, command: nodeCommand(`services/${name}/dist/migrate.js`, env) };
  });
}

/** Makes the bucket of a store that was given, unless it is there; as databases are made in a PostgreSQL that was given. */
export function bucketTask(house: House): Task {
  return {
    name: 'media-bucket',
    command: nodeCommand('services/media/dist/make-bucket.js', processEnvironment(house, {})),
  };
}

export function serviceParts(house: House): Part[] {
  const { settings, secrets, addresses, publicUrl } = house;
  const storage = settings.S3_ENDPOINT ? { STORAGE: 's3' } : { STORAGE: 'file', STORAGE_PATH: house.storagePath };
  const own: Record<Database, Record<string, string | undefined>> = {
    identity: {
      BOOTSTRAP_ADMIN_EMAILS: settings.BOOTSTRAP_ADMIN_EMAILS.join(',') || 'admin@lms.test',
      WEBHOOK_SECRETS: webhookSecrets(house).join(' '),
      WEBHOOK_ACCEPT_UNTIMESTAMPED: String(settings.WEBHOOK_ACCEPT_UNTIMESTAMPED),
    },
    content: { PUBLIC_URL: publicUrl },
    media: { PUBLIC_URL: publicUrl, PLAYBACK_SECRET: secrets.playback, ...storage },
    enrollment: {},
  };
  return databases.map((name) => {
    const address = addresses[name];
    const env = processEnvironment(house, {
      ...listen(address),
      ...neighbours(addresses),
      DATABASE_URL: house.databaseUrls[name].service,
      NATS_URL: house.natsUrl,
      PASSPORT_PUBLIC_KEY: secrets.passport.publicKey,
      ...own[name],
    });
    const { url, adminUrl } = address;
    const readyUrl = `${adminUrl}/readyz`;
    return nodePart({
      name,
      entry: `services/${name}/dist/main.js`,
      env,
      url,
      adminUrl,
      readyUrl,
      stopWithinMs: gracefulMs,
    });
  });
}

export function gatewayPart(house: House): Part {
  const { settings, secrets, addresses, publicUrl } = house;
  const { url, adminUrl } = addresses.gateway;
  const provider = settings.IDP_ISSUER
    ? { IDP_ISSUER: settings.IDP_ISSUER, IDP_JWKS_URL: settings.IDP_JWKS_URL, IDP_AUDIENCE: settings.IDP_AUDIENCE }
    : {
        IDP_ISSUER: addresses.identityProvider.url,
        IDP_JWKS_URL: jwksUrl(addresses.identityProvider),
        // The audience of the local provider's access tokens; its ID tokens have another.
        IDP_AUDIENCE: 'lms',
      };
  const env = processEnvironment(house, {
    ...listen(addresses.gateway),
    ...neighbours(addresses),
    ...provider,
    PUBLIC_URL: publicUrl,
    NATS_URL: house.natsUrl,
    REDIS_URL: house.redisUrl,
    PASSPORT_PRIVATE_KEY: secrets.passport.privateKey,
    CORS_ORIGINS: settings.CORS_ORIGINS.join(','),
  });
  return nodePart({
    name: 'gateway',
    entry: 'gateway/dist/main.js',
    env,
    url,
    adminUrl,
    readyUrl: `${url}/readyz`,
    stopWithinMs: gracefulMs,
  });
}

export function identityProviderPart(house: House, dataFile: string): Part {
  const { url } = house.addresses.identityProvider;
  const env = processEnvironment(house, {
    ...listen(house.addresses.identityProvider),
    ISSUER: url,
    DATA_FILE: dataFile,
    WEBHOOK_URL: `${house.addresses.gateway.url}/api/webhooks/identity`,
    WEBHOOK_SECRET: webhookSecrets(house)[0],
  });
  return nodePart({
    name: 'identity-provider',
    entry: 'infra/identity-provider/dist/main.js',
    env,
    url,
    readyUrl: `${url}/.well-known/openid-configuration`,
    stopWithinMs: gracefulMs,
  });
}

export function webhookSecrets({ settings, secrets }: WebhookSettings): string[] {
  return settings.WEBHOOK_SECRETS.length > 0 ? settings.WEBHOOK_SECRETS : [secrets.webhook];
}

function jwksUrl({ url }: Address): string {
  return `${url}/jwks`;
}

function listen({ port, adminPort }: Address) {
  return { HOST: '127.0.0.1', PORT: String(port), ADMIN_HOST: '127.0.0.1', ADMIN_PORT: String(adminPort) };
}

function neighbours({ identity, content, media, enrollment }: Addresses) {
  return { IDENTITY_URL: identity.url, CONTENT_URL: content.url, MEDIA_URL: media.url, ENROLLMENT_URL: enrollment.url };
}

// This stack is for development, whatever the shell it is started from says.
function processEnvironment(house: House, own: Record<string, string | undefined>): NodeJS.ProcessEnv {
  return extendEnvironment(house.environment, { NODE_ENV: 'development', SHUTDOWN_TIMEOUT: undefined, ...own });
}
