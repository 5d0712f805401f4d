import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { accountRoutes } from './accounts/routes.ts';
import { HttpError } from './errors.ts';
import { keyRoutes } from './keys.ts';
import { allowRedirects, isOwnHost } from './oidc/loopback.ts';
import { createProviders } from './oidc/provider.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import type { Store } from './store.ts';
import { createDispatcher, type Webhook } from './webhooks.ts';

export interface AppDeps {
  store: Store;
  logger: FastifyBaseLogger;
  /** Default: the address that the app listens on. */
  issuer?: string | undefined;
  /** Allowed besides loopback. */
  redirectUris?: readonly string[];
  /** Host names accepted besides loopback and the issuer's. */
  allowedHosts?: readonly string[];
  webhook?: Webhook | undefined;
}

export function buildApp(deps: AppDeps): FastifyInstance {
  const { store, logger, issuer, redirectUris = [], allowedHosts = [], webhook } = deps;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  const redirects = allowRedirects(redirectUris);
  const getIssuer = () => issuer ?? app.listeningOrigin.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
  const getProvider = createProviders({ store, issuer: getIssuer, redirects, logger });

  app.setErrorHandler<FastifyError | HttpError>(async (error, request, reply) => {
    const { statusCode, body } = toErrorResponse(error);
    if (statusCode >= 500) request.log.error(error, 'request failed');
    return reply.code(statusCode).send(body);
  });
  app.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send({ error: 'not_found', message: 'Route not found' }),
  );
  // Only the path is logged: the query may contain codes and tokens.
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode } = reply.raw;
    const path = request.url.split('?')[0];
    request.log.info({ method: request.method, path, statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });

  app.addHook('onRequest', async ({ headers: { host } }) => {
    if (isOwnHost(host, [new URL(getIssuer()).hostname, ...allowedHosts])) return;
    const names = "a loopback name, the issuer's host or one of ALLOWED_HOSTS";
    throw new HttpError(
      421,
      'misdirected_request',
      `The Host header must be ${names}, not ${JSON.stringify(host ?? '')}`,
    );
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  // Users and keys: open to any client that reaches the port, but not to other sites' pages in a developer's browser.
  app.register(async (management) => {
    management.addHook('onRequest', async ({ headers: { origin } }) => {
      if (origin && !redirects.allowsOrigin(origin))
        throw new HttpError(403, 'forbidden', 'Requests from this origin are not allowed');
    });
    // Many clients send a JSON content type with a DELETE without a body.
    const parse = management.getDefaultJsonParser('error', 'error');
    management.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
      text === '' ? done(null, undefined) : parse(request, text, done),
    );
    management.register(accountRoutes, { deps: { store, sendWebhooks: webhook !== undefined } });
    management.register(keyRoutes, { deps: { store } });
  });
  app.register(signInRoutes, { deps: { store, getProvider } });
  app.register(oidcRoutes, { deps: { store, issuer: getIssuer, redirects, getProvider } });

  if (webhook) {
    const dispatcher = createDispatcher(store, webhook, logger);
    app.addHook('onListen', async () => dispatcher.start());
    app.addHook('onClose', async () => dispatcher.stop());
  }
  app.addHook('onClose', async () => store.flush());
  return app;
}

function toErrorResponse(failure: FastifyError | HttpError) {
  const { statusCode = 500, message } = failure;
  if (failure instanceof HttpError) return { statusCode, body: { error: failure.error, message } };
  if (failure.validation) return { statusCode: 422, body: { error: 'validation_failed', message } };
  if (statusCode < 500) return { statusCode, body: { error: 'bad_request', message } };
  return { statusCode: 500, body: { error: 'server_error', message: 'Internal server error' } };
}
