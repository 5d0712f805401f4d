import { type Environment, loadConfig } from '@lms/config/load-config';
import { Choice, HttpUrl, Port, Seconds, StringList } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';

const Config = Type.Object({
  NODE_ENV: Type.String({
    default: 'development',
    pattern: '^(?!production$)',
    expected: 'anything but production: this identity provider is for development and tests only',
  }),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Port({ default: 8090 }),
  ISSUER: Type.Optional(
    HttpUrl({ pattern: '^https?://[^/?#]+$', expected: 'an http(s) origin, without a path or a slash at its end' }),
  ),
  DATA_FILE: Type.String({ default: '.data/identity-provider.json' }),
  WEBHOOK_URL: Type.Optional(HttpUrl()),
  WEBHOOK_SECRET: Type.Optional(Type.String()),
  REDIRECT_URIS: StringList(),
  ALLOWED_HOSTS: StringList(),
  LOG_LEVEL: Choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  SHUTDOWN_TIMEOUT: Seconds({ default: 20 }),
});

/** @throws ConfigError */
export const readConfig = (environment: Environment) =>
  loadConfig(Config, environment, ({ WEBHOOK_URL, WEBHOOK_SECRET }) =>
    WEBHOOK_URL && !WEBHOOK_SECRET ? ['WEBHOOK_SECRET: is required with WEBHOOK_URL'] : [],
  );
