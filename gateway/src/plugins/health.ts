import { once } from 'node:events';
import { connect } from 'node:net';
import { type Check, readiness } from '@lms/service/admin-server';
import { shareReading } from '@lms/telemetry/metrics';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { services } from '../routes.ts';

const connectMs = 1_000;

/** Resolves if a server accepts connections at the URL. */
async function accepts(url: string) {
  const { hostname, port, protocol } = new URL(url);
  const socket = connect(Number(port || (protocol === 'https:' ? 443 : 80)), hostname.replace(/^\[|\]$/g, ''));
  await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) }).finally(() => socket.destroy());
}

/** The gateway is ready while at least one service accepts connections. */
export const servicesCheck =
  (app: FastifyInstance): Check =>
  () =>
    Promise.any(services.map((service) => accepts(app.upstreams[service].url))).catch(() => {
      throw new Error('no service responds');
    });

/** The probes on the public port. */
export const health = fp(async (app) => {
  const checks: Record<string, Check> = {
    services: servicesCheck(app),
    ...Object.fromEntries(services.map((service) => [service, () => accepts(app.upstreams[service].url)])),
    redis: app.redis.check,
    nats: app.events.check,
    keys: app.tokens.check,
  };
  // Anyone may request them at any rate, and each reading connects to all services.
  const read = shareReading(() => readiness(checks));
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const { ready, checks: outcomes } = await read();
    const isUsable = outcomes.services === 'ok';
    const status = ready ? 'ready' : isUsable ? 'degraded' : 'unready';
    // The reasons contain internal addresses: only the private port and the log show them.
    const shown = Object.entries(outcomes).map(([name, outcome]) => [name, outcome === 'ok' ? 'ok' : 'unavailable']);
    return reply.code(isUsable ? 200 : 503).send({ status, checks: Object.fromEntries(shown) });
  });
});
