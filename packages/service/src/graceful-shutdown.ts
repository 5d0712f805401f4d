import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * The time between "no more, please" and the closed door. Load balancers learn of it late, so everything is answered;
 * each answer ends its connection, so that nobody has one left to write to when the door closes.
 */
export async function drainConnections(server: Server, delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await sleep(delayMs);
}

/**
 * Closes when the last answer has been given. What takes longer than that, a film over a slow line, is broken off by a
 * reset: its other end sees that it was not whole.
 */
export async function closeWithin(app: FastifyInstance, timeoutMs: number): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  await app.close().finally(() => clearTimeout(deadline));
}
