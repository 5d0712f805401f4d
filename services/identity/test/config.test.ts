import { ConfigError, type Environment, loadConfig } from '@lms/config/load-config';
import { testPassportKey } from '@lms/testing/principals';
import t from 'tap';
import { Config, checkConfig, parseConfig } from '../src/config.ts';

const readConfig = (environment: Environment) => {
  const config = loadConfig(Config, environment, checkConfig);
  return { ...config, ...parseConfig(config) };
};

const given = {
  DATABASE_URL: 'postgres://identity@localhost/identity',
  NATS_URL: 'nats://localhost:4222',
  PASSPORT_PUBLIC_KEY: testPassportKey,
};
const problemsOf = (environment: Record<string, string>) => {
  try {
    readConfig({ ...given, ...environment });
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
};

t.test('settings have defaults, and e-mails are normalized', async (t) => {
  const config = readConfig({ ...given, BOOTSTRAP_ADMIN_EMAILS: 'Boss@LMS.test, o\u0308@x.test' });
  t.match(config, { AUTH_SYNC_MODE: 'provisional', DEFAULT_PLAN: 'FREE', WEBHOOK_ACCEPT_UNTIMESTAMPED: false });
  t.same([...config.adminEmails], ['boss@lms.test', '\u00f6@x.test']);
  t.same(config.webhookKeys, []);
  t.equal(config.usersUrl, undefined);
});

t.test('all problems are reported together', async (t) => {
  const invalid = {
    WEBHOOK_SECRETS: `short ${'x'.repeat(65)}`,
    BOOTSTRAP_ADMIN_EMAILS: 'boss@lms.test;head@lms.test,x',
  };
  t.match(problemsOf({ ...invalid, AUTH_SYNC_MODE: 'verify' }), [
    /^WEBHOOK_SECRETS: secret 1 /,
    /^WEBHOOK_SECRETS: secret 2 /,
    /^BOOTSTRAP_ADMIN_EMAILS: /,
    /^IDP_USERS_URL: is required/,
  ]);
  t.match(
    problemsOf({ ...invalid, NATS_URL: 'http://x', IDP_USERS_URL: 'ftp://x', AUTH_SYNC_MODE: 'verify' }),
    [
      /^NATS_URL: must be/,
      /^IDP_USERS_URL: must be/,
      /^WEBHOOK_SECRETS: secret 1 /,
      /^WEBHOOK_SECRETS: secret 2 /,
      /^BOOTSTRAP_ADMIN_EMAILS: /,
    ],
    'problems of types and problems of checkConfig',
  );
  t.match(problemsOf({ DEFAULT_PLAN: 'GOLD', AUTH_SYNC_MODE: 'trust' }), [/^DEFAULT_PLAN: /, /^AUTH_SYNC_MODE: /]);
});

t.test('a short webhook secret is a warning in development and a problem otherwise', async (t) => {
  const short = { WEBHOOK_SECRETS: 'short' };
  t.match(readConfig({ ...given, ...short, NODE_ENV: 'development' }), {
    webhookKeys: [Buffer.from('short')],
    warnings: [/^WEBHOOK_SECRETS: secret 1 must have 24 to 64 bytes/],
  });
  for (const environment of [short, { ...short, NODE_ENV: 'production' }, { ...short, NODE_ENV: 'test' }])
    t.match(problemsOf(environment), [/^WEBHOOK_SECRETS: secret 1 /]);
  t.same(readConfig({ ...given, WEBHOOK_SECRETS: 'x'.repeat(24), NODE_ENV: 'development' }).warnings, []);
});

t.test('the URL of the user endpoint is used in verify mode only', async (t) => {
  const IDP_USERS_URL = 'http://localhost/users';
  t.equal(readConfig({ ...given, IDP_USERS_URL }).usersUrl, undefined);
  t.equal(readConfig({ ...given, IDP_USERS_URL, AUTH_SYNC_MODE: 'verify' }).usersUrl, IDP_USERS_URL);
});
