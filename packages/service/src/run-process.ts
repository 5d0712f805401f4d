// `import type {}` takes only what a module declares about FastifyInstance.
import type {} from '@fastify/swagger';
import { ConfigError, type ConfigSchema, configExitCode, loadConfig } from '@lms/config/load-config';
import type { ProcessSettings } from '@lms/config/settings';
import { createRegistry, type Registry } from '@lms/telemetry/registry';
import { startTracing, tracing } from '@lms/telemetry/tracing';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type AdminOptions, createAdminServer } from './admin-server.ts';
import { closeWithin, drainConnections } from './graceful-shutdown.ts';
import { createLogDestination } from './log-destination.ts';
import type {} from './schema-compilers.ts';

/** A process without a public port has no settings for it. */
export type RunSettings = Omit<ProcessSettings, 'HOST' | 'PORT'> & Partial<Pick<ProcessSettings, 'HOST' | 'PORT'>>;

export interface ProcessContext<Config extends RunSettings> {
  config: Readonly<Config>;
  logger: Logger;
  /** The metrics that the private port serves. */
  registry: Registry;
}

export interface ProcessParts {
  /** Served on the public port; a worker has none. */
  app?: FastifyInstance;
  /** What must work for this process to receive requests, by name. */
  checks: AdminOptions['checks'];
  /** Closes what the process opened, after the last response was sent. */
  close: () => Promise<unknown>;
}

export interface ProcessOptions<Config extends RunSettings> {
  name: string;
  config: ConfigSchema<Config>;
  /** Returns the problems that the schema cannot express; it gets the settings that fit the schema. */
  checkConfig?: ((config: Partial<Config>) => string[]) | undefined;
  build: (context: ProcessContext<Config>) => Promise<ProcessParts> | ProcessParts;
}

// The share of SHUTDOWN_TIMEOUT after which pending responses are cut off; the rest is for closing connections.
const drainShare = 0.8;

/**
 * Loads the settings, builds the process, listens, and shuts down gracefully on SIGTERM or SIGINT. Invalid settings are
 * reported all at once, before anything is opened, with exit code 78; any other failure to start exits with 1.
 */
export async function runProcess<Config extends RunSettings>({
  name,
  config: schema,
  checkConfig,
  build,
}: ProcessOptions<Config>) {
  try {
    const check = (config: Partial<Config>) => [...checkShutdown(config), ...(checkConfig?.(config) ?? [])];
    const config: Config = loadConfig(schema, process.env, check);
    const collector = config.OTEL_EXPORTER_OTLP_ENDPOINT;
    if (collector) await startTracing(name, collector);
    const logger = pino(
      { name, level: config.LOG_LEVEL, ...(collector && { mixin: addTraceId }) },
      createLogDestination(),
    );
    const registry = createRegistry();
    await serve(config, logger, registry, await build({ config, logger, registry }));
  } catch (error) {
    process.stderr.write(`${name}: ${describe(error)}\n`);
    process.exit(error instanceof ConfigError ? configExitCode : 1);
  }
}

const addTraceId = () => ({ traceId: tracing()?.activeSpan()?.traceparent.split('-')[1] });

function checkShutdown({ SHUTDOWN_DELAY = 0, SHUTDOWN_TIMEOUT = Number.POSITIVE_INFINITY }: Partial<RunSettings>) {
  if (SHUTDOWN_DELAY < SHUTDOWN_TIMEOUT * drainShare) return [];
  return ['SHUTDOWN_DELAY: must leave some of SHUTDOWN_TIMEOUT to finish in'];
}

// For what the environment causes (a port in use, an unknown host, a refused password), which has a `code`, the message
// is enough; for anything else the stack matters.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A connection that was refused at each address of a host.
  if (error instanceof AggregateError && !error.message) return error.errors.map(describe).join('; ');
  return error instanceof ConfigError || 'code' in error ? error.message : (error.stack ?? error.message);
}

// Only the check that compares the document with the committed one requests it, so this finds every schema that would
// fail at its first request.
function createDocument(app: FastifyInstance) {
  app.compileSchemas();
  return app.swagger();
}

async function serve(settings: RunSettings, logger: Logger, registry: Registry, { app, checks, close }: ProcessParts) {
  const document = app?.hasDecorator('swagger') && { openApi: () => createDocument(app) };
  const admin = createAdminServer({ logger, checks, registry, ...document });
  const [timeoutMs, delayMs] = [settings.SHUTDOWN_TIMEOUT * 1_000, settings.SHUTDOWN_DELAY * 1_000];
  const onTimeout = () => logger.error({ timeoutMs }, 'shutdown timed out');
  closeWithGrace({ delay: timeoutMs, logger: false, onTimeout }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'shutting down after an uncaught error');
    else logger.info({ signal }, 'shutting down');
    try {
      admin.drain();
      if (app && !err) await drainConnections(app.server, delayMs);
      if (app) await closeWithin(app, timeoutMs * drainShare - delayMs);
      await close();
      await tracing()?.close();
      await admin.close();
    } catch (failure) {
      logger.error({ err: failure }, 'shutdown failed');
      throw failure;
    }
  });
  await admin.listen({ host: settings.ADMIN_HOST, port: settings.ADMIN_PORT });
  const { HOST: host = '127.0.0.1', PORT: port = 0 } = settings;
  await app?.listen({ host, port });
  admin.start();
  logger.info({ address: (app ?? admin).server.address(), adminAddress: admin.server.address() }, 'listening');
}
