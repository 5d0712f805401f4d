import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Serves requests for `delayMs` before the server closes, because load balancers notice a failing readiness check late.
 * Each response closes its connection, so that no client reuses one that is about to be closed.
 */
export async function drainConnections(server: Server, delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await sleep(delayMs);
}

/**
 * Closes the server after the pending responses. Responses that take longer than `timeoutMs`, such as downloads, are
 * aborted with a connection reset, so that the client notices that they are incomplete.
 */
export async function closeWithin(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  await app.close().finally(() => clearTimeout(deadline));
}
