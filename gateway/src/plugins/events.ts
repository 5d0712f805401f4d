import { type Bus, connectBus } from '@lms/events/bus';
import fp from 'fastify-plugin';
import type { Options } from '../options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    events: Bus;
  }
}

/** The connection to NATS, whose events invalidate the caches. */
export const events = fp(async (app, { config, logger, registry }: Options) => {
  const bus = connectBus(config.NATS_URL, 'gateway', logger, registry);
  app.decorate('events', bus);
  app.addHook('onClose', () => bus.close());
});
