import type { FastifyInstance } from 'fastify';

const intervalMs = 50;

/**
 * Closes keep-alive connections during shutdown as soon as they become idle. Node.js only closes those that are idle when
 * the shutdown begins; the others would delay it until they time out.
 */
export function closeIdleConnections(app: FastifyInstance) {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const timer = setInterval(() => app.server.closeIdleConnections(), intervalMs);
    app.server.once('close', () => clearInterval(timer));
    timer.unref();
  });
}
