import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { userRoutes } from './accounts.ts';
import { createProvider, loopbackHosts, type ProviderOptions } from './oidc.ts';
import { signInRoutes } from './sign-in.ts';
import { createWebhooks, type Webhook } from './webhooks.ts';

export interface AppOptions extends ProviderOptions {
  /** Host names accepted besides loopback and the issuer's. */
  allowedHosts?: readonly string[];
  webhook?: Webhook | undefined;
}

export function buildApp({ allowedHosts = [], webhook, ...options }: AppOptions): FastifyInstance {
  const { store, issuer, logger } = options;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false } },
  });
  const provider = createProvider(options);
  const webhooks = createWebhooks(store, webhook, logger);

  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const statusCode = error.validation ? 422 : (error.statusCode ?? 500);
    if (statusCode >= 500) request.log.error(error, 'request failed');
    const name = error.validation ? 'validation_failed' : error.code;
    return reply.code(statusCode).send({ error: name, message: error.message });
  });
  // Only the path is logged: the query may contain codes and tokens.
  app.addHook('onResponse', async ({ method, url, log }, { statusCode, elapsedTime }) => {
    log.info({ method, path: url.split('?')[0], statusCode, ms: Math.round(elapsedTime) }, 'request');
  });
  // A site whose domain resolves to this machine would otherwise have this origin in a developer's browser (DNS rebinding).
  const ownHosts = [...loopbackHosts, new URL(issuer).hostname, ...allowedHosts];
  app.addHook('onRequest', async ({ host, hostname }, reply) => {
    if (ownHosts.includes(hostname.toLowerCase())) return;
    const message = `The Host header must be a loopback name, the issuer's host or one of ALLOWED_HOSTS, not "${host}"`;
    return reply.code(421).send({ error: 'misdirected_request', message });
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.register(userRoutes, { deps: { store, webhooks } });
  app.register(signInRoutes, { deps: { store, provider } });
  const handleByProvider = provider.callback();
  function forwardToProvider(request: FastifyRequest, reply: FastifyReply) {
    reply.hijack();
    handleByProvider(request.raw, reply.raw);
  }
  // The provider does not support JSON, but takes fields that were already read.
  app.register(async (scope) => {
    // Forms are left to the provider.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, _payload, done) => done(null, {}));
    scope.setErrorHandler(async (_error, _request, reply) => {
      const description = 'the body must be a form or a JSON object of strings';
      return reply.code(400).send({ error: 'invalid_request', error_description: description });
    });
    const body = { type: 'object', additionalProperties: { type: 'string' } };
    scope.post('/token', { schema: { body } }, (request, reply) => {
      if (request.headers['content-type']?.startsWith('application/json')) {
        request.raw.headers['content-type'] = 'application/x-www-form-urlencoded';
        Object.assign(request.raw, { body: request.body });
      }
      forwardToProvider(request, reply);
    });
  });
  // All other paths are the provider's.
  app.setNotFoundHandler(forwardToProvider);

  app.addHook('onListen', async () => webhooks.start());
  app.addHook('onClose', () => webhooks.stop());
  return app;
}
