import { fileURLToPath } from 'node:url';
import type { ServiceSettings } from '@lms/config/settings';
import { checkSchema } from '@lms/database/check-schema';
import { connect, type Database } from '@lms/database/connect';
import { type Bus, connectBus } from '@lms/events/bus';
import { type ConsumeOptions, consume } from '@lms/events/consume';
import { createEventEraser } from '@lms/events/erase-events';
import { startRelay } from '@lms/events/relay';
import type { PublishCurrentStates } from '@lms/events/restored-database';
import { type SubscribeOptions, subscribe } from '@lms/events/subscribe';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Check } from './admin-server.ts';
import { type ProcessContext, type ProcessOptions, runProcess } from './run-process.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from './service-client.ts';
import { type Job, startJob } from './start-job.ts';

export interface ServiceContext<Config extends ServiceSettings> extends ProcessContext<Config> {
  database: Database;
  bus: Bus;
  /** The gateway's public key, which verifies passports. */
  passportKey: string;
  /** Wakes the outbox relay, so that it publishes at once instead of at its next poll. */
  notifyRelay: () => void;
  /** Creates a client for another service. It is closed on shutdown. */
  createClient: (url: string, options?: ServiceClientOptions) => ServiceClient;
}

/** The parts of a service besides its database, outbox relay and probes. */
export interface ServiceParts {
  app: FastifyInstance;
  /** Readiness checks besides the database, by name. */
  checks?: Record<string, Check>;
  /** Durable consumers, each with the subjects it handles. */
  consumers?: Pick<ConsumeOptions, 'durable' | 'filter' | 'handlers'>[];
  /** Subscriptions without durability, for dropping cache entries. */
  subscriptions?: Omit<SubscribeOptions, 'bus'>[];
  jobs?: Job[];
  /** Closes what `build` opened, before the database is closed. */
  close?: () => Promise<unknown>;
}

export interface ServiceOptions<Config extends ServiceSettings> extends Omit<ProcessOptions<Config>, 'build'> {
  /** The folder that drizzle-kit wrote the migrations into. */
  migrations: URL;
  /** The size of the connection pool. */
  connections?: (config: Readonly<Config>) => number;
  /** Called after the database was restored to an earlier moment. */
  publishCurrentStates?: PublishCurrentStates;
  /** The NATS subject of the service's events that can identify a person. They are erased with the person's data. */
  personalEvents?: string;
  build: (context: ServiceContext<Config>) => Promise<ServiceParts> | ServiceParts;
}

const eraseIntervalMs = 2_000;

/** Runs a service: its API, its outbox relay, its consumers and its jobs. NATS may be down: requests are served without it. */
export const runService = <Config extends ServiceSettings>({
  name,
  migrations,
  connections,
  publishCurrentStates,
  personalEvents,
  build,
  ...options
}: ServiceOptions<Config>) =>
  runProcess({
    ...options,
    name,
    async build(context) {
      const { config, logger, registry } = context;
      const max = connections?.(config);
      const database = connect(config.DATABASE_URL, { registry, applicationName: name, ...(max && { max }) });
      const bus = connectBus(config.NATS_URL, name, logger, registry);
      const relay = startRelay(database, bus, name, logger, publishCurrentStates);
      const clients: ServiceClient[] = [];
      const createClient = (url: string, options?: ServiceClientOptions) => {
        const client = createServiceClient(url, options);
        clients.push(client);
        return client;
      };
      const passportKey = config.PASSPORT_PUBLIC_KEY;
      const parts = await build({ ...context, database, bus, passportKey, notifyRelay: relay.notify, createClient });
      const durables = parts.consumers ?? [];
      // Batches of events do not wait for requests, nor requests for them. A consumer needs a connection for its lock and
      // one for its batch.
      const consumerDatabase = connect(config.DATABASE_URL, {
        applicationName: `${name}-consumers`,
        max: Math.max(1, 2 * durables.length),
      });
      const consumers = durables.map((consumer) => consume({ ...consumer, database: consumerDatabase, bus, logger }));
      for (const subscription of parts.subscriptions ?? []) startSubscription(bus, subscription, logger);
      const eraser =
        personalEvents && publishCurrentStates
          ? createEventEraser({ database, bus, subject: personalEvents, publishCurrentStates, logger })
          : undefined;
      const eraseJob = eraser ? [{ name: 'erase events', intervalMs: eraseIntervalMs, run: eraser }] : [];
      const jobs = [...(parts.jobs ?? []), ...eraseJob].map((job) => startJob(job, logger));
      return {
        app: parts.app,
        checks: { postgres: checkSchema(database, fileURLToPath(migrations)), ...parts.checks },
        async close() {
          await bus.close();
          await Promise.all([relay.ended, ...consumers.map(({ ended }) => ended), ...jobs.map(({ stop }) => stop())]);
          await parts.close?.();
          await Promise.all(clients.map((client) => client.close()));
          await Promise.all([database.close(), consumerDatabase.close()]);
        },
      };
    },
  });

function startSubscription(bus: Bus, subscription: Omit<SubscribeOptions, 'bus'>, logger: Logger) {
  subscribe({ ...subscription, bus }).catch((err: unknown) => {
    if (!bus.closing.aborted) logger.error({ err, subject: subscription.subject }, 'subscription failed');
  });
}
