import { connectBus } from '@lms/events/bus';
import { type SubscribeOptions, subscribe } from '@lms/events/subscribe';
import fp from 'fastify-plugin';
import type { Options } from '../options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    events: {
      /** Receives events without a durable consumer, which is enough for invalidating caches. */
      subscribe: (subscription: Omit<SubscribeOptions, 'bus'>) => void;
      check: () => Promise<unknown>;
    };
  }
}

export const events = fp(async (app, { config, logger, registry }: Options) => {
  const bus = connectBus(config.NATS_URL, 'gateway', logger, registry);
  app.decorate('events', {
    subscribe(subscription) {
      subscribe({ bus, ...subscription }).catch((err: unknown) => {
        if (!bus.closing.aborted) app.log.error({ err }, 'Cannot subscribe to events');
      });
    },
    check: bus.check,
  });
  app.addHook('onClose', () => bus.close());
});
