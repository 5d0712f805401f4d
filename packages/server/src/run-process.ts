import { ConfigError, configExitCode, type Environment, loadConfig } from '@lms/config/load-config';
import '@fastify/swagger';
import { type ProcessSettings, processSettings } from '@lms/config/settings';
import { createRegistry, type Registry } from '@lms/telemetry/registry';
import { startTracing, tracing } from '@lms/telemetry/tracing';
import { Type } from '@sinclair/typebox';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type AdminOptions, createAdmin } from './admin-server.ts';
import { closeInTime, leaveGently } from './leave-gently.ts';
import { openLog } from './open-log.ts';

export interface Parts {
  app: FastifyInstance;
  checks: AdminOptions['checks'];
  /** Ends what the process opened, after the last request was answered. */
  close: () => Promise<unknown>;
}

const Settings = Type.Object(processSettings);

// The share of SHUTDOWN_TIMEOUT after which answers that are still under way are broken off; the rest is for closing.
const patience = 0.8;

/** `registry` holds what the private port tells of the process. */
type Build = (environment: Environment, logger: Logger, registry: Registry) => Promise<Parts> | Parts;

/**
 * The life of a process: settings, parts, listening, and a graceful end on SIGTERM or SIGINT.
 * Settings that cannot be used are all told at once, with exit code 78; any other failure to start ends it with 1.
 */
export async function runProcess(name: string, environment: Environment, build: Build) {
  try {
    const settings = await readSettings(environment, build);
    const collector = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
    if (collector) await startTracing(name, collector);
    const options = { name, level: settings.LOG_LEVEL, ...(collector && { mixin: nameTrace }) };
    const logger = pino(options, openLog());
    const registry = createRegistry();
    await serve(settings, logger, registry, await build(environment, logger, registry));
  } catch (error) {
    process.stderr.write(`${name}: ${describe(error)}\n`);
    process.exit(error instanceof ConfigError ? configExitCode : 1);
  }
}

// Lines of one trace are found by its id, as those of one request are by theirs.
const nameTrace = () => ({ traceId: tracing()?.running()?.traceparent.split('-')[1] });

async function readSettings(environment: Environment, build: Build): Promise<ProcessSettings> {
  try {
    return loadConfig(Settings, environment, findFlaws);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The parts have settings of their own: what is wrong with them belongs into the same message.
    const others = await problemsOf(() => build(environment, pino({ level: 'silent' }), createRegistry()));
    throw new ConfigError([...new Set([...error.problems, ...others])]);
  }
}

function findFlaws({ SHUTDOWN_DELAY = 0, SHUTDOWN_TIMEOUT = Number.POSITIVE_INFINITY }: Partial<ProcessSettings>) {
  if (SHUTDOWN_DELAY < SHUTDOWN_TIMEOUT * patience) return [];
  return ['SHUTDOWN_DELAY: must leave some of SHUTDOWN_TIMEOUT to finish in'];
}

async function problemsOf(attempt: () => Parts | Promise<Parts>): Promise<string[]> {
  try {
    await attempt();
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [];
  }
}

// A port that is taken or a name that is unknown says enough; for the rest it matters where it happened.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigError || 'syscall' in error ? error.message : (error.stack ?? error.message);
}

async function serve(settings: ProcessSettings, logger: Logger, registry: Registry, { app, checks, close }: Parts) {
  const document = app.hasDecorator('swagger') ? { describe: () => app.swagger() } : {};
  const admin = createAdmin({ logger, checks, registry, ...document });
  const [limitMs, delayMs] = [settings.SHUTDOWN_TIMEOUT * 1_000, settings.SHUTDOWN_DELAY * 1_000];
  const onTimeout = () => logger.error({ limitMs }, 'ending before all was closed');
  closeWithGrace({ delay: limitMs, logger: false, onTimeout }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'ending after an unexpected failure');
    else logger.info({ signal }, 'ending');
    try {
      admin.drain();
      if (!err) await leaveGently(app.server, delayMs);
      await closeInTime(app, limitMs * patience - delayMs);
      await close();
      await tracing()?.close();
      await admin.close();
    } catch (failure) {
      logger.error({ err: failure }, 'could not close');
      throw failure;
    }
  });
  await admin.listen({ host: settings.ADMIN_HOST, port: settings.ADMIN_PORT });
  await app.listen({ host: settings.HOST, port: settings.PORT });
  admin.start();
  logger.info({ address: app.server.address() }, 'listening');
}
