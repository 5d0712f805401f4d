import { STATUS_CODES } from 'node:http';
import etag from '@fastify/etag';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { type IsOutage, renderErrors } from './error-handler.ts';
import { acceptJsonOnly } from './json-body.ts';
import { requestIdHeader, requestIdOf } from './request-id.ts';
import { logRequests } from './request-log.ts';
import { compileValidator } from './validation.ts';

export interface ServerOptions {
  logger: FastifyBaseLogger;
  /** Errors that are answered 503 instead of 500. */
  isOutage?: IsOutage;
  /** The longest JSON body, in bytes; a route may set its own. */
  bodyLimit?: number;
}

/** A server with our manners: JSON in, the envelope out, strict schemas, one log line a request, an id on every answer. */
export function createServer({ logger, isOutage = () => false, bodyLimit = 256 * 1024 }: ServerOptions) {
  const app = Fastify({
    loggerInstance: logger,
    disableRequestLogging: true,
    bodyLimit,
    genReqId: requestIdOf,
    requestIdHeader: false,
    requestIdLogLabel: 'requestId',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    clientErrorHandler: refuseUnparsable,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(requestIdHeader, request.id);
  });
  renderErrors(app, isOutage);
  acceptJsonOnly(app);
  logRequests(app);
  // Strong tags for what a handler did not tag itself, and 304 for those who hold them; streams pass by.
  app.register(etag);
  return app;
}
export type Server = ReturnType<typeof createServer>;

// What the HTTP parser refuses never reaches a route, so it is answered here, by hand.
function refuseUnparsable(this: unknown, error: Error & { code?: string }, socket: import('node:net').Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const text = STATUS_CODES[status] ?? 'Bad Request';
  const body = JSON.stringify({
    success: false,
    error: text,
    code: 'VALIDATION_ERROR',
    requestId: requestIdOf({ headers: {} }),
  });
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
