import { ConfigError, type Environment, loadConfig } from '@lms/config/load-config';
import { Choice, Flag, HttpUrl, NatsUrl, Pem, PostgresUrl, Words } from '@lms/config/settings';
import { plans } from '@lms/contracts/passport';
import { Type } from '@sinclair/typebox';
import { normalizeEmail } from './users/email.ts';
import { readSecrets } from './webhooks/secrets.ts';

const Variables = Type.Object({
  DATABASE_URL: PostgresUrl(),
  NATS_URL: NatsUrl(),
  PASSPORT_PUBLIC_KEY: Pem(),
  BOOTSTRAP_ADMIN_EMAILS: Words(),
  DEFAULT_PLAN: Choice(plans, 'FREE'),
  WEBHOOK_SECRETS: Words(' '),
  WEBHOOK_ACCEPT_UNTIMESTAMPED: Flag(false),
  AUTH_SYNC_MODE: Choice(['provisional', 'verify'], 'provisional'),
  IDP_USERS_URL: Type.Optional(HttpUrl()),
});

/** @throws ConfigError */
export function readConfig(environment: Environment) {
  const given = loadConfig(Variables, environment);
  if (given.AUTH_SYNC_MODE === 'verify' && !given.IDP_USERS_URL)
    throw new ConfigError(['IDP_USERS_URL: is required with AUTH_SYNC_MODE=verify']);
  return {
    ...given,
    webhookKeys: keysOf(given.WEBHOOK_SECRETS),
    adminEmails: new Set(given.BOOTSTRAP_ADMIN_EMAILS.map(normalizeEmail)),
  };
}

function keysOf(secrets: string[]) {
  try {
    return readSecrets(secrets);
  } catch (error) {
    throw new ConfigError([`WEBHOOK_SECRETS: ${error instanceof Error ? error.message : error}`]);
  }
}
