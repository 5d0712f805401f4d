import type { IncomingMessage } from 'node:http';
import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { Choice, HttpOrigin, HttpUrl, Port, StringList } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { createInitialState, openStore } from './store.ts';

const Config = Type.Object({
  NODE_ENV: Type.String({
    default: 'development',
    pattern: '^(?!production$)',
    expected: 'anything but production: this identity provider is for development and tests only',
  }),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Port({ default: 8090 }),
  ISSUER: Type.Optional(HttpOrigin()),
  DATA_FILE: Type.String({ default: '.data/identity-provider.json' }),
  WEBHOOK_URL: Type.Optional(HttpUrl()),
  WEBHOOK_SECRET: Type.Optional(Type.String()),
  ALLOWED_HOSTS: StringList(),
  LOG_LEVEL: Choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
});

try {
  const config = loadConfig(Config, process.env, ({ WEBHOOK_URL, WEBHOOK_SECRET }) =>
    WEBHOOK_URL && !WEBHOOK_SECRET ? ['WEBHOOK_SECRET: is required with WEBHOOK_URL'] : [],
  );
  const { HOST: host, PORT: port, WEBHOOK_URL, WEBHOOK_SECRET } = config;
  const destination = pino.destination({ dest: 1, sync: true });
  // If standard output is on a full disk, only log lines are lost.
  destination.on('error', () => undefined);
  const serializers = {
    // The query may contain codes and tokens.
    req: ({ method, url }: IncomingMessage) => ({ method, path: url?.split('?')[0] }),
  };
  const logger = pino({ level: config.LOG_LEVEL, base: { service: 'identity-provider' }, serializers }, destination);
  const app = buildApp({
    store: openStore(config.DATA_FILE, createInitialState),
    issuer: config.ISSUER ?? `http://127.0.0.1:${port}`,
    allowedHosts: config.ALLOWED_HOSTS,
    webhook: WEBHOOK_URL && WEBHOOK_SECRET ? { url: WEBHOOK_URL, secret: WEBHOOK_SECRET } : undefined,
    logger,
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());
  await app.listen({ host, port });
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}
