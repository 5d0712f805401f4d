import { Choice, Flag, HttpUrl, StringList, serviceSettings } from '@lms/config/settings';
import { plans } from '@lms/contracts/passport';
import { type Static, Type } from '@sinclair/typebox';
import { readEmail } from './users/email.ts';
import { readSecrets } from './webhooks/secrets.ts';

export const Config = Type.Object({
  ...serviceSettings,
  BOOTSTRAP_ADMIN_EMAILS: StringList(),
  DEFAULT_PLAN: Choice(plans, 'FREE'),
  WEBHOOK_SECRETS: StringList(' '),
  WEBHOOK_ACCEPT_UNTIMESTAMPED: Flag(false),
  AUTH_SYNC_MODE: Choice(['provisional', 'verify'], 'provisional'),
  IDP_USERS_URL: Type.Optional(HttpUrl()),
  IDP_USERS_TOKEN: Type.Optional(Type.String()),
  CONTENT_URL: Type.Optional(HttpUrl()),
  MEDIA_URL: Type.Optional(HttpUrl()),
  ENROLLMENT_URL: Type.Optional(HttpUrl()),
});

export type Config = Static<typeof Config>;

/** What the settings mean: parsed secrets and addresses, and where the provider is asked about accounts. */
export function interpretConfig(config: Config) {
  const { keys, warnings } = secretsOf(config);
  return {
    webhookKeys: keys,
    /** Settings that are accepted in development only. */
    warnings,
    adminEmails: new Set(config.BOOTSTRAP_ADMIN_EMAILS.flatMap((email) => readEmail(email) ?? [])),
    usersUrl: config.AUTH_SYNC_MODE === 'verify' ? config.IDP_USERS_URL : undefined,
  };
}

export function checkConfig(config: Partial<Config>): string[] {
  const { BOOTSTRAP_ADMIN_EMAILS: emails = [] } = config;
  const problems = secretsOf(config).flaws;
  if (!emails.every((email) => readEmail(email)))
    problems.push('BOOTSTRAP_ADMIN_EMAILS: must be e-mail addresses, separated by commas');
  if (config.AUTH_SYNC_MODE === 'verify' && !config.IDP_USERS_URL)
    problems.push('IDP_USERS_URL: is required with AUTH_SYNC_MODE=verify');
  return problems;
}

function secretsOf({ WEBHOOK_SECRETS: secrets = [], NODE_ENV }: Partial<Config>) {
  const { keys, flaws, warnings } = readSecrets(secrets, { isDevelopment: NODE_ENV === 'development' });
  const named = (text: string) => `WEBHOOK_SECRETS: ${text}`;
  return { keys, flaws: flaws.map(named), warnings: warnings.map(named) };
}
