import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;

/**
 * Connections that were busy when the server began to close, and are kept alive by their clients after the answer, would
 * hold up the end until they time out. Node closes only those that are idle at the beginning.
 */
export function closeIdleConnections(app: FastifyInstance) {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const looking = setInterval(() => app.server.closeIdleConnections(), lookEveryMs);
    app.server.once('close', () => clearInterval(looking));
    looking.unref();
  });
}
