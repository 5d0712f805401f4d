import { ConfigError, configExitCode } from '@lms/config/load-config';
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { createInitialState } from './initial-state.ts';
import { openStore } from './store.ts';

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { WEBHOOK_URL, WEBHOOK_SECRET } = config;
  const webhook = WEBHOOK_URL && WEBHOOK_SECRET ? { url: WEBHOOK_URL, secret: WEBHOOK_SECRET } : undefined;
  const destination = pino.destination({ dest: 1, sync: true });
  // If standard output is on a full disk, only log lines are lost.
  destination.on('error', () => undefined);
  const logger = pino({ level: config.LOG_LEVEL, base: { service: 'identity-provider' } }, destination);
  const store = await openStore(config.DATA_FILE, () => createInitialState({ sendWebhooks: webhook !== undefined }));
  const app = buildApp({
    store,
    logger,
    issuer: config.ISSUER,
    redirectUris: config.REDIRECT_URIS,
    allowedHosts: config.ALLOWED_HOSTS,
    webhook,
  });

  closeWithGrace({ delay: config.SHUTDOWN_TIMEOUT * 1_000, logger: false }, async ({ err }) => {
    if (err) logger.fatal(err, 'stopping after an uncaught error');
    await app.close();
  });
  await app.listen({ host: config.HOST, port: config.PORT });
}
