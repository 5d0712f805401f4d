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
import { swaggerOptions } from './swagger-options.ts';
import { traceRequests } from './trace-requests.ts';
import { isUrlTooLong, maxUrlBytes } from './url-length.ts';
import { compileValidator } from './validation.ts';

export interface ServerOptions {
  logger: FastifyBaseLogger;
  /** Errors that are answered 503 instead of 500. */
  isOutage?: IsOutage;
  /** The longest JSON body, in bytes; a route may set its own. */
  bodyLimit?: number;
  /** Where requests are measured. */
  registry?: Registry | undefined;
}

/** A server with our manners: JSON in, the envelope out, strict schemas, one log line a request, an id on every answer. */
export function createServer({ logger, isOutage = () => false, bodyLimit = 256 * 1024, registry }: ServerOptions) {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit,
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    // As long as a URL may be: an id that cannot exist reaches its route, however long it is.
    routerOptions: { maxParamLength: maxUrlBytes },
    clientErrorHandler: handleClientError,
    frameworkErrors: handleFrameworkError,
    // What is answered was checked when it was stored; the serializer only has to know the name.
    serializerOpts: { ajv: { formats: { 'web-url': true } } },
    schemaErrorFormatter: () => new Error('does not fit its schema'),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  if (registry) recordRequestMetrics(app, registry);
  if (tracing()) traceRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id);
    if (isUrlTooLong(request.raw.url)) throw new UriTooLong();
  });
  setErrorHandlers(app, isOutage);
  acceptJsonOnly(app);
  logRequests(app);
  closeIdleConnections(app);
  app.register(etags);
  app.register(swagger, swaggerOptions);
  return app;
}
export type Server = ReturnType<typeof createServer>;
