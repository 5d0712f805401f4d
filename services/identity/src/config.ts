import { type Environment, loadConfig } from '@lms/config/load-config';
import { Choice, Flag, HttpUrl, NatsUrl, Pem, PostgresUrl, processSettings, Words } from '@lms/config/settings';
import { plans } from '@lms/contracts/passport';
import { type Static, Type } from '@sinclair/typebox';
import { readEmail } from './users/email.ts';
import { readSecrets } from './webhooks/secrets.ts';

const Variables = Type.Object({
  NODE_ENV: processSettings.NODE_ENV,
  DATABASE_URL: PostgresUrl(),
  NATS_URL: NatsUrl(),
  PASSPORT_PUBLIC_KEY: Pem(),
  BOOTSTRAP_ADMIN_EMAILS: Words(),
  DEFAULT_PLAN: Choice(plans, 'FREE'),
  WEBHOOK_SECRETS: Words(' '),
  WEBHOOK_ACCEPT_UNTIMESTAMPED: Flag(false),
  AUTH_SYNC_MODE: Choice(['provisional', 'verify'], 'provisional'),
  IDP_USERS_URL: Type.Optional(HttpUrl()),
  IDP_USERS_TOKEN: Type.Optional(Type.String()),
  CONTENT_URL: Type.Optional(HttpUrl()),
  MEDIA_URL: Type.Optional(HttpUrl()),
  ENROLLMENT_URL: Type.Optional(HttpUrl()),
});

/** @throws ConfigError with every problem at once */
export function readConfig(environment: Environment) {
  const given = loadConfig(Variables, environment, findFlaws);
  const { keys, warnings } = secretsOf(given);
  return {
    ...given,
    /** Where the provider is asked about accounts; undefined in `provisional` mode. */
    usersUrl: given.AUTH_SYNC_MODE === 'verify' ? given.IDP_USERS_URL : undefined,
    webhookKeys: keys,
    /** Settings that work in development alone. */
    warnings,
    adminEmails: new Set(given.BOOTSTRAP_ADMIN_EMAILS.flatMap((email) => readEmail(email) ?? [])),
  };
}

function findFlaws(given: Partial<Static<typeof Variables>>): string[] {
  const { BOOTSTRAP_ADMIN_EMAILS: emails = [] } = given;
  const problems = secretsOf(given).flaws;
  if (!emails.every((email) => readEmail(email)))
    problems.push('BOOTSTRAP_ADMIN_EMAILS: must be e-mail addresses, separated by commas');
  if (given.AUTH_SYNC_MODE === 'verify' && !given.IDP_USERS_URL)
    problems.push('IDP_USERS_URL: is required with AUTH_SYNC_MODE=verify');
  return problems;
}

function secretsOf({ WEBHOOK_SECRETS: secrets = [], NODE_ENV }: Partial<Static<typeof Variables>>) {
  const { keys, flaws, warnings } = readSecrets(secrets, { isDevelopment: NODE_ENV === 'development' });
  const named = (text: string) => `WEBHOOK_SECRETS: ${text}`;
  return { keys, flaws: flaws.map(named), warnings: warnings.map(named) };
}
