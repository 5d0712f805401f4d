import { ConfigError, configExitCode, type Environment, loadConfig } from '@lms/config/load-config';
import '@fastify/swagger';
import { type ProcessSettings, processSettings } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type AdminOptions, createAdmin } from './admin-server.ts';

export interface Parts {
  app: FastifyInstance;
  checks: AdminOptions['checks'];
  registry?: AdminOptions['registry'];
  /** Ends what the process opened, after the last request was answered. */
  close: () => Promise<unknown>;
}

const Settings = Type.Object(processSettings);

/**
 * The life of a process: settings, parts, listening, and a graceful end on SIGTERM or SIGINT.
 * Settings that cannot be used are all told at once, with exit code 78.
 */
export async function runProcess(
  name: string,
  environment: Environment,
  build: (environment: Environment, logger: Logger) => Promise<Parts> | Parts,
) {
  try {
    const settings = loadConfig(Settings, environment);
    const logger = pino({ name, level: settings.LOG_LEVEL });
    await serve(settings, logger, await build(environment, logger));
  } catch (error) {
    process.stderr.write(
      `${name}: ${error instanceof Error ? (error instanceof ConfigError ? error.message : error.stack) : error}\n`,
    );
    process.exit(error instanceof ConfigError ? configExitCode : 1);
  }
}

async function serve(settings: ProcessSettings, logger: Logger, { app, checks, registry, close }: Parts) {
  const describe = app.hasDecorator('swagger') ? { describe: () => app.swagger() } : {};
  const admin = createAdmin({ logger, checks, ...describe, ...(registry && { registry }) });
  closeWithGrace({ delay: settings.SHUTDOWN_TIMEOUT * 1_000, logger: false }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'ending after an unexpected failure');
    else logger.info({ signal }, 'ending');
    admin.drain();
    await app.close();
    await close();
    await admin.close();
  });
  await admin.listen({ host: settings.ADMIN_HOST, port: settings.ADMIN_PORT });
  await app.listen({ host: settings.HOST, port: settings.PORT });
}
