import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Registry } from '@lms/telemetry/registry';
import { tracing } from '@lms/telemetry/tracing';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { handleClientError } from './client-error-handler.ts';
import { handleFrameworkError, type IsOutage, setErrorHandlers } from './error-handler.ts';
import { etags } from './etags.ts';
import { closeIdleConnections } from './idle-connections.ts';
import { acceptJsonOnly } from './json-body.ts';
import { UriTooLong } from './problems.ts';
import { requestIdHeader, requestIdOf } from './request-id.ts';
import { logRequests } from './request-log.ts';
import { recordRequestMetrics } from './request-metrics.ts';
import { setSchemaCompilers } from './schema-compilers.ts';
import { swaggerOptions } from './swagger-options.ts';
import { traceRequests } from './trace-requests.ts';
import { isUrlTooLong, maxUrlBytes } from './url-length.ts';

export interface ServerOptions {
  logger: FastifyBaseLogger;
  /** Returns true for errors that become a 503 instead of a 500. */
  isOutage?: IsOutage;
  /** The maximum size of a JSON body in bytes. A route can set its own. */
  bodyLimit?: number;
  /** The registry for request metrics. */
  registry?: Registry | undefined;
  /** Called with the method after the response to every request that may have changed something. */
  afterWrite?: (method: string) => void;
}

/** Creates a Fastify server with the project's defaults: see the README. */
export function createServer({
  logger,
  isOutage = () => false,
  bodyLimit = 256 * 1024,
  registry,
  afterWrite,
}: ServerOptions) {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit,
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    // No shorter limit than that of the URL: an id that is too long gets its route's 404.
    routerOptions: { maxParamLength: maxUrlBytes },
    clientErrorHandler: handleClientError,
    frameworkErrors: handleFrameworkError,
    schemaErrorFormatter: () => new Error('does not match its schema'),
  }).withTypeProvider<TypeBoxTypeProvider>();
  setSchemaCompilers(app);
  if (registry) recordRequestMetrics(app, registry);
  if (tracing()) traceRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id);
    if (isUrlTooLong(request.raw.url)) throw new UriTooLong();
  });
  setErrorHandlers(app, isOutage);
  acceptJsonOnly(app);
  logRequests(app);
  app.addHook('onResponse', ({ method }, _reply, done) => {
    if (method !== 'GET' && method !== 'HEAD') afterWrite?.(method);
    done();
  });
  closeIdleConnections(app);
  app.register(etags);
  app.register(swagger, swaggerOptions);
  return app;
}
export type Server = ReturnType<typeof createServer>;
