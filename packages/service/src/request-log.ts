import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the log says of a request that has ended. Never a body, a token, a signature, an e-mail or a query string. */
export const requestLine = (request: FastifyRequest, { raw }: FastifyReply, durationMs: number) => ({
  method: request.method,
  route: request.routeOptions.url ?? 'unknown',
  status: raw.headersSent ? raw.statusCode : undefined,
  code: request.errorCode,
  durationMs: Math.round(durationMs * 10) / 10,
  broken: raw.writableFinished ? undefined : true,
});

/** Logs one line per request. */
export function logRequests(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(requestLine(request, reply, reply.elapsedTime), 'request');
    done();
  });
}
