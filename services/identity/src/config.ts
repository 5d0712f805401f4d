import { BaseUrl, Choice, Flag, HttpOrigin, StringList, serviceSettings } from '@lms/config/settings';
import { plans } from '@lms/contracts/passport';
import { type Static, Type } from '@sinclair/typebox';
import { parseEmail } from './users/email.ts';
import { parseSecrets } from './webhooks/secrets.ts';

export const Config = Type.Object({
  ...serviceSettings,
  BOOTSTRAP_ADMIN_EMAILS: StringList({
    description: 'Users who appear with one of these verified e-mails become administrators; separated by commas',
  }),
  DEFAULT_PLAN: Choice(plans, 'FREE', { description: 'Plan of new users' }),
  WEBHOOK_SECRETS: StringList({
    separator: ' ',
    description:
      'Up to four secrets of the provider, separated by spaces, 24 to 64 bytes each, plain or `whsec_` base64',
  }),
  WEBHOOK_ACCEPT_UNTIMESTAMPED: Flag(false, {
    description: 'Accepts webhooks signed over the body alone; such a message can be replayed at any time',
  }),
  AUTH_SYNC_MODE: Choice(['provisional', 'verify'], 'provisional', {
    description: '`verify` requests every user that is synchronised from the provider',
  }),
  IDP_USERS_URL: Type.Optional(BaseUrl({ description: "The provider's user endpoint: GET <url>/<id>" })),
  IDP_USERS_TOKEN: Type.Optional(Type.String({ description: 'Bearer token for IDP_USERS_URL' })),
  CONTENT_URL: Type.Optional(HttpOrigin({ description: 'Internal URL of content, for the export of personal data' })),
  MEDIA_URL: Type.Optional(HttpOrigin({ description: 'Internal URL of media, for the export of personal data' })),
  ENROLLMENT_URL: Type.Optional(
    HttpOrigin({ description: 'Internal URL of enrollment, for the export of personal data' }),
  ),
});

export type Config = Static<typeof Config>;

type ParsedSettings = Pick<
  Config,
  'WEBHOOK_SECRETS' | 'BOOTSTRAP_ADMIN_EMAILS' | 'AUTH_SYNC_MODE' | 'IDP_USERS_URL' | 'NODE_ENV'
>;

/** Derives values from the settings: webhook keys, normalized e-mails and the URL of the provider's user endpoint. */
export function parseConfig(config: ParsedSettings) {
  const { keys, warnings } = parseWebhookSecrets(config);
  return {
    webhookKeys: keys,
    /** Settings that are accepted in development only. */
    warnings,
    adminEmails: new Set(config.BOOTSTRAP_ADMIN_EMAILS.flatMap((email) => parseEmail(email) ?? [])),
    usersUrl: config.AUTH_SYNC_MODE === 'verify' ? config.IDP_USERS_URL : undefined,
  };
}

export function checkConfig(config: Partial<Config>): string[] {
  const { BOOTSTRAP_ADMIN_EMAILS: emails = [] } = config;
  const problems = parseWebhookSecrets(config).problems;
  if (!emails.every((email) => parseEmail(email)))
    problems.push('BOOTSTRAP_ADMIN_EMAILS: must be e-mail addresses, separated by commas');
  if (config.AUTH_SYNC_MODE === 'verify' && !config.IDP_USERS_URL)
    problems.push('IDP_USERS_URL: is required with AUTH_SYNC_MODE=verify');
  return problems;
}

function parseWebhookSecrets({ WEBHOOK_SECRETS: secrets = [], NODE_ENV }: Partial<Config>) {
  const { keys, problems, warnings } = parseSecrets(secrets, { isDevelopment: NODE_ENV === 'development' });
  const withName = (text: string) => `WEBHOOK_SECRETS: ${text}`;
  return { keys, problems: problems.map(withName), warnings: warnings.map(withName) };
}
