import type { FastifyInstance } from 'fastify';

/** Logs one line per request. It never contains a body, a token or a query string. */
export function logRequests(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      code: request.errorCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    request.log.info(line, 'request');
    done();
  });
}
