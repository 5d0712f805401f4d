import { setTimeout as pause } from 'node:timers/promises';
import { openTcpProxy } from '@lms/testing/tcp-proxy';

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
  let turn = 0;
  let closed = false;

  const proxy = await openTcpProxy(() => {
    const ready = [...endpoints].flatMap(([endpoint, isReady]) => (isReady ? endpoint : []));
    turn += 1;
    const chosen = ready[turn % ready.length];
    return chosen && { host: '127.0.0.1', port: chosen.port };
  }, port);

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
      proxy.close();
      await probing;
    },
  };
}
export type Balancer = Awaited<ReturnType<typeof startBalancer>>;
