import { BlockList } from 'node:net';
import { ConfigError, type Environment, loadConfig } from '@lms/config/load-config';
import {
  Choice,
  Count,
  Flag,
  HttpUrl,
  NatsUrl,
  Port,
  PostgresUrl,
  processSettings,
  RedisUrl,
  StringList,
} from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

const Settings = Type.Object({
  DATA_DIR: Type.String({ default: '.data' }),
  GATEWAY_PORT: Port({ default: 8080 }),
  IDP_PORT: Port({ default: 8090 }),
  SEED: Flag(true),

  // What runs elsewhere. Whatever is not given is embedded.
  POSTGRES_URL: Type.Optional(PostgresUrl()),
  IDENTITY_DATABASE_URL: Type.Optional(PostgresUrl()),
  CONTENT_DATABASE_URL: Type.Optional(PostgresUrl()),
  MEDIA_DATABASE_URL: Type.Optional(PostgresUrl()),
  ENROLLMENT_DATABASE_URL: Type.Optional(PostgresUrl()),
  NATS_URL: Type.Optional(NatsUrl()),
  REDIS_URL: Type.Optional(RedisUrl()),
  S3_ENDPOINT: Type.Optional(HttpUrl()),
  S3_BUCKET: Type.Optional(Type.String()),
  S3_REGION: Type.Optional(Type.String()),
  S3_ACCESS_KEY_ID: Type.Optional(Type.String()),
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String()),
  IDP_ISSUER: Type.Optional(HttpUrl()),
  IDP_JWKS_URL: Type.Optional(HttpUrl()),
  IDP_AUDIENCE: Type.Optional(Type.String()),

  // What the parts read themselves: checked here so that nothing starts with half of them wrong.
  PUBLIC_URL: Type.Optional(HttpUrl()),
  RATE_LIMIT_GENERAL: Type.Optional(Count()),
  RATE_LIMIT_AUTH: Type.Optional(Count()),
  RATE_LIMIT_UPLOAD: Type.Optional(Count()),
  RATE_LIMIT_WEBHOOK: Type.Optional(Count()),
  QUOTAS_ENABLED: Flag(true),
  DEFAULT_PLAN: Choice(['FREE', 'PRO', 'ENTERPRISE'], 'FREE'),
  WEBHOOK_SECRETS: StringList(' '),
  WEBHOOK_ACCEPT_UNTIMESTAMPED: Flag(true),
  BOOTSTRAP_ADMIN_EMAILS: StringList(),
  TRUSTED_PROXIES: StringList(),
  CORS_ORIGINS: StringList(),
  LOG_LEVEL: processSettings.LOG_LEVEL,
  MAX_VIDEO_BYTES: Type.Optional(Count()),
  MAX_DOCUMENT_BYTES: Type.Optional(Count()),
  CONTENT_VISIBILITY: Choice(['private', 'public'], 'private'),
  CONTENT_RETENTION_DAYS: Type.Optional(Count()),
});
export type Settings = Readonly<Static<typeof Settings>>;

/** @throws ConfigError with every problem at once */
export function loadSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const collect = <T>(load: () => T): T | undefined => {
    try {
      return load();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const settings = collect(() => loadConfig(Settings, environment));
  const words = collect(() =>
    loadConfig(Type.Pick(Settings, ['WEBHOOK_SECRETS', 'TRUSTED_PROXIES', 'CORS_ORIGINS']), environment),
  );
  problems.push(...findIncompleteGroups(environment));
  if (words) {
    problems.push(...findBadSecrets(words.WEBHOOK_SECRETS));
    for (const range of words.TRUSTED_PROXIES.filter((range) => !isRange(range))) {
      problems.push(`TRUSTED_PROXIES: "${range}" is no address or CIDR range`);
    }
    for (const origin of words.CORS_ORIGINS.filter((origin) => !isOrigin(origin))) {
      problems.push(`CORS_ORIGINS: "${origin}" is no origin such as https://lms.example`);
    }
  }
  if (settings && settings.GATEWAY_PORT !== 0 && settings.GATEWAY_PORT === settings.IDP_PORT && !settings.IDP_ISSUER) {
    problems.push('IDP_PORT: is the same as GATEWAY_PORT');
  }
  if (!settings || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return settings;
}

function findIncompleteGroups(environment: Environment): string[] {
  const given = (name: string) => Boolean(environment[name] || environment[`${name}_FILE`]);
  const groups: Record<string, string[]> = {
    S3_ENDPOINT: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    IDP_ISSUER: ['IDP_JWKS_URL'],
  };
  return Object.entries(groups).flatMap(([leader, followers]) =>
    given(leader) ? followers.filter((name) => !given(name)).map((name) => `${name}: is required with ${leader}`) : [],
  );
}

/** Settings that work here and are refused in production. */
export function findWarnings({ WEBHOOK_SECRETS }: Settings): string[] {
  const isShort = WEBHOOK_SECRETS.some((secret) => secretLength(secret) < shortestSecret);
  return isShort ? [`WEBHOOK_SECRETS: fewer than ${shortestSecret} bytes only work in development`] : [];
}

const shortestSecret = 24;
const secretLength = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64').length : Buffer.byteLength(secret);

function findBadSecrets(secrets: string[]): string[] {
  const lengths = secrets.map(secretLength);
  return [
    ...(lengths.some((length) => length < 1 || length > 64) ? ['WEBHOOK_SECRETS: each must have 1 to 64 bytes'] : []),
    ...(lengths.length > 4 ? ['WEBHOOK_SECRETS: must be four at most'] : []),
  ];
}

function isRange(range: string): boolean {
  const [address = '', prefix] = range.split('/');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const longest = family === 'ipv6' ? 128 : 32;
  try {
    new BlockList().addSubnet(address, prefix === undefined ? longest : Number(prefix), family);
    return prefix === undefined || /^\d+$/.test(prefix);
  } catch {
    return false;
  }
}

function isOrigin(origin: string): boolean {
  return origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin);
}
