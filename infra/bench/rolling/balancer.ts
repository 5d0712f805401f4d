import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Endpoint {
  port: number;
  adminPort: number;
}

const probeMs = 250;

/**
 * What a Kubernetes Service does: each new connection goes to one of the endpoints that are ready, open ones stay where
 * they are. Readiness is learnt by asking `/readyz`, so an endpoint that leaves is still sent connections for a while.
 */
export async function startBalancer(port: number) {
  const endpoints = new Map<Endpoint, boolean>();
  const guests = new Set<Socket>();
  let turn = 0;
  let closed = false;

  const server = createServer((guest) => {
    guest.on('error', () => undefined);
    const ready = [...endpoints].flatMap(([endpoint, isReady]) => (isReady ? endpoint : []));
    turn += 1;
    const chosen = ready[turn % ready.length];
    if (!chosen) {
      guest.resetAndDestroy();
      return;
    }
    const host = connect({ port: chosen.port, host: '127.0.0.1', noDelay: true });
    guest.setNoDelay(true);
    guests.add(guest);
    host.on('error', () => guest.resetAndDestroy());
    guest.on('close', () => {
      guests.delete(guest);
      host.destroy();
    });
    host.on('close', () => guest.destroy());
    guest.pipe(host).pipe(guest);
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
      .then((answer) => answer.arrayBuffer().then(() => answer.ok))
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
      for (const guest of guests) guest.destroy();
      await probing;
    },
  };
}
export type Balancer = Awaited<ReturnType<typeof startBalancer>>;
