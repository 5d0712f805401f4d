import { ConfigError, configExitCode } from '@lms/config/load-config';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { createInitialState } from './state/initial-state.ts';
import { openStore } from './state/store.ts';

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigError ? configExitCode : 1);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { issuer, redirectUris, allowedHosts, webhook } = config;
  const logger = pino({ level: config.logLevel, base: { service: 'identity-provider' } });
  const store = await openStore(config.dataFile, () => createInitialState({ sendWebhooks: webhook !== undefined }));
  const app = buildApp({ store, logger, issuer, redirectUris, allowedHosts, webhook });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), config.shutdownTimeoutMs).unref();
      app.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  await app.listen({ host: config.host, port: config.port });
}
