import { connectBus } from '@lms/events/bus';
import fp from 'fastify-plugin';
import type { Options } from '../config.ts';

/** The connection to NATS, whose events invalidate the caches. */
export const events = fp(async (app, { config, logger, registry }: Options) => {
  const bus = connectBus(config.NATS_URL, 'gateway', logger, registry);
  app.decorate('events', bus);
  app.addHook('onClose', () => bus.close());
});
