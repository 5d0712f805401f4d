import { type Environment, loadConfig } from '@lms/config/load-config';
import { BaseUrl, Flag, NatsUrl, Port, PostgresUrl, RedisUrl } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';
import { Config as Content } from 'content/config';
import { Config as Gateway } from 'gateway/config';
import { checkConfig as checkIdentity, Config as Identity, parseConfig } from 'identity/config';
import { Config as Media } from 'media/config';

export const Settings = Type.Object({
  DATA_DIR: Type.String({ default: '.data', description: 'Folder for state, logs and stack.json' }),
  GATEWAY_PORT: Port({ default: 8080, description: 'Port of the gateway; for `npm start`, 0 is any free one' }),
  IDP_PORT: Port({
    default: 8090,
    description: 'Port of the local identity provider; for `npm start`, 0 is any free one',
  }),
  SEED: Flag(true, { description: 'Creates sample content in an empty system' }),

  // Servers that run elsewhere; those without a URL are embedded.
  POSTGRES_URL: Type.Optional(PostgresUrl()),
  IDENTITY_DATABASE_URL: Type.Optional(PostgresUrl()),
  CONTENT_DATABASE_URL: Type.Optional(PostgresUrl()),
  MEDIA_DATABASE_URL: Type.Optional(PostgresUrl()),
  ENROLLMENT_DATABASE_URL: Type.Optional(PostgresUrl()),
  NATS_URL: Type.Optional(NatsUrl()),
  REDIS_URL: Type.Optional(RedisUrl()),
  ...Type.Pick(Media, ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']).properties,
  ...Type.Partial(Type.Pick(Gateway, ['IDP_ISSUER', 'IDP_JWKS_URL', 'IDP_AUDIENCE'])).properties,

  // The processes read these themselves. They are checked here, so that nothing starts when one of them is invalid.
  PUBLIC_URL: Type.Optional(BaseUrl({ description: 'The API as clients reach it; the URL of the gateway by default' })),
  WEBHOOK_ACCEPT_UNTIMESTAMPED: { ...Identity.properties.WEBHOOK_ACCEPT_UNTIMESTAMPED, default: true },
  ...Type.Pick(Identity, ['DEFAULT_PLAN', 'WEBHOOK_SECRETS', 'BOOTSTRAP_ADMIN_EMAILS']).properties,
  ...Type.Pick(Identity, ['AUTH_SYNC_MODE', 'IDP_USERS_URL']).properties,
  ...Type.Pick(Gateway, ['RATE_LIMIT_GENERAL', 'RATE_LIMIT_AUTH', 'RATE_LIMIT_UPLOAD', 'RATE_LIMIT_WEBHOOK'])
    .properties,
  ...Type.Pick(Gateway, ['RATE_LIMIT_PLAYBACK', 'QUOTAS_ENABLED', 'TRUSTED_PROXIES', 'CORS_ORIGINS', 'LOG_LEVEL'])
    .properties,
  // Apps that are developed on this machine.
  CORS_ORIGINS: { ...Gateway.properties.CORS_ORIGINS, default: ['loopback'] },
  ...Type.Pick(Content, ['CONTENT_VISIBILITY', 'CONTENT_RETENTION_DAYS']).properties,
  ...Type.Pick(Media, ['MAX_VIDEO_BYTES', 'MAX_DOCUMENT_BYTES', 'MAX_CONCURRENT_UPLOADS']).properties,
});
export type Settings = Readonly<Static<typeof Settings>>;

/** @throws ConfigError that lists all problems */
export const loadSettings = (environment: Environment): Settings => loadConfig(Settings, environment, checkSettings);

function checkSettings(settings: Partial<Settings>): string[] {
  const { GATEWAY_PORT, IDP_PORT, IDP_ISSUER } = settings;
  const isSamePort = GATEWAY_PORT !== 0 && GATEWAY_PORT === IDP_PORT && !IDP_ISSUER;
  return [
    ...missing(settings, 'S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'),
    ...missing(settings, 'IDP_ISSUER', 'IDP_JWKS_URL'),
    ...checkIdentity({ ...settings, NODE_ENV: 'development' }),
    ...(isSamePort ? ['IDP_PORT: is the same as GATEWAY_PORT'] : []),
  ];
}

function missing(settings: Partial<Settings>, setting: keyof Settings, ...needed: (keyof Settings)[]): string[] {
  const unset = settings[setting] === undefined ? [] : needed.filter((name) => settings[name] === undefined);
  return unset.map((name) => `${name}: is required with ${setting}`);
}

/** Warnings about settings that are invalid in production. */
export const findWarnings = (settings: Settings): string[] =>
  parseConfig({ ...settings, NODE_ENV: 'development' }).warnings;

/** The URLs of databases that are not embedded. */
export function externalDatabases(settings: Settings) {
  return {
    identity: settings.IDENTITY_DATABASE_URL,
    content: settings.CONTENT_DATABASE_URL,
    media: settings.MEDIA_DATABASE_URL,
    enrollment: settings.ENROLLMENT_DATABASE_URL,
  };
}
