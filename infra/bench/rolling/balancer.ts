import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Endpoint {
  port: number;
  adminPort: number;
}

const probeMs = 250;

/**
 * Balances connections as a Kubernetes Service does: each new connection goes to a ready endpoint, open ones stay where
 * they are. Readiness is polled from `/readyz`, so an endpoint that shuts down still gets connections for a while.
 */
export async function startBalancer(port: number) {
  const endpoints = new Map<Endpoint, boolean>();
  const clients = new Set<Socket>();
  let turn = 0;
  let closed = false;

  const server = createServer((client) => {
    client.on('error', () => undefined);
    const ready = [...endpoints].flatMap(([endpoint, isReady]) => (isReady ? endpoint : []));
    turn += 1;
    const chosen = ready[turn % ready.length];
    if (!chosen) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: chosen.port, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    clients.add(client);
    // A socket whose end is being sent cannot be reset: in Node.js 20, the process would never exit.
    upstream.on('error', () => (client.writableEnded ? client.destroy() : client.resetAndDestroy()));
    client.on('close', () => {
      clients.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');

  const probing = (async () => {
    while (!closed) {
      await Promise.all([...endpoints.keys()].map(probe));
      await pause(probeMs);
    }
  })();

  async function probe(endpoint: Endpoint) {
    const isReady = await fetch(`http://127.0.0.1:${endpoint.adminPort}/readyz`, { signal: AbortSignal.timeout(2_000) })
      .then((response) => response.arrayBuffer().then(() => response.ok))
      .catch(() => false);
    if (endpoints.has(endpoint)) endpoints.set(endpoint, isReady);
  }

  return {
    add: (endpoint: Endpoint) => void endpoints.set(endpoint, false),
    remove: (endpoint: Endpoint) => void endpoints.delete(endpoint),
    isReady: (endpoint: Endpoint) => endpoints.get(endpoint) === true,
    async close() {
      closed = true;
      server.close();
      for (const client of clients) client.destroy();
      await probing;
    },
  };
}
export type Balancer = Awaited<ReturnType<typeof startBalancer>>;
