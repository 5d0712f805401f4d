import { ConfigError, configExitCode } from '@lms/config/load-config';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { readSettings } from './settings.ts';
import { makeFirstState } from './state/first-state.ts';
import { openStore } from './state/store.ts';

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const { issuer, redirectUris, allowedHosts, webhook } = settings;
  const logger = pino({ level: settings.logLevel, base: { service: 'identity-provider' } });
  const store = await openStore(settings.dataFile, () => makeFirstState({ announce: webhook !== undefined }));
  const app = buildApp({ store, logger, issuer, redirectUris, allowedHosts, webhook });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), settings.shutdownTimeoutMs).unref();
      app.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  await app.listen({ host: settings.host, port: settings.port });
}
