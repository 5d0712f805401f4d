import type { FastifyInstance } from 'fastify';

/** One line a request, with what an operator asks for first; never a body, a token or a query. */
export function logRequests(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    request.log.info(line, 'request');
  });
}
