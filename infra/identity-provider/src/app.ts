import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify';
import { createProvider, isLoopback } from './oidc.ts';
import { providerRoutes } from './provider-routes.ts';
import type { Store } from './store.ts';
import { userRoutes } from './users.ts';
import { createWebhooks, type Webhook } from './webhooks.ts';

export interface AppOptions {
  store: Store;
  /** The public origin. */
  issuer: string;
  logger: FastifyBaseLogger;
  /** Host names accepted besides loopback and the issuer's. */
  allowedHosts?: readonly string[];
  webhook?: Webhook | undefined;
}

const errorNames: Record<number, string> = {
  400: 'invalid_request',
  404: 'not_found',
  409: 'email_taken',
  422: 'validation_failed',
};

export function buildApp({ store, issuer, logger, allowedHosts = [], webhook }: AppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false } },
  });
  const webhooks = createWebhooks(store, webhook, logger);

  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const statusCode = error.validation ? 422 : (error.statusCode ?? 500);
    if (statusCode >= 500) request.log.error(error, 'request failed');
    return reply.code(statusCode).send({ error: errorNames[statusCode] ?? error.code, message: error.message });
  });
  // A site whose domain resolves to this machine would otherwise have this origin in a developer's browser (DNS rebinding).
  const ownHosts = [new URL(issuer).hostname, ...allowedHosts];
  app.addHook('onRequest', async ({ host, hostname }, reply) => {
    if (isLoopback(`http://${host}`) || ownHosts.includes(hostname)) return;
    const message = `The Host header must be a loopback name, the issuer's host or one of ALLOWED_HOSTS, not "${host}"`;
    return reply.code(421).send({ error: 'misdirected_request', message });
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.register(userRoutes, { deps: { store, webhooks } });
  app.register(providerRoutes, { deps: { store, provider: createProvider(store, issuer, logger) } });
  app.addHook('onClose', async () => webhooks.stop());
  return app;
}
