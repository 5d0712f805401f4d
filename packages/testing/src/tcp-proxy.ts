import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface Target {
  host: string;
  port: number;
}

// A socket whose end is being sent cannot be reset: in Node.js 20, the process would never exit.
const resetConnection = (socket: Socket) => void (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());

/**
 * A TCP proxy.
 * @param chooseTarget returns where a new connection goes; it is reset if there is no target
 * @param port 0 is any free one
 */
export async function openTcpProxy(chooseTarget: () => Target | undefined, port = 0) {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    client.on('error', () => undefined);
    const target = chooseTarget();
    if (!target) return resetConnection(client);
    const upstream = connect({ ...target, noDelay: true });
    client.setNoDelay(true);
    clients.add(client);
    upstream.on('error', () => resetConnection(client));
    client.on('close', () => {
      clients.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  /** Resets all open connections. */
  const reset = () => clients.forEach(resetConnection);
  return {
    port: address.port,
    reset,
    close() {
      server.close();
      reset();
    },
  };
}

/** A TCP proxy before one server. Its URL is the server's with another port. */
export async function openServerProxy(target: string, isBlocked = () => false) {
  const url = new URL(target);
  const { hostname: host, port } = url;
  const proxy = await openTcpProxy(() => (isBlocked() ? undefined : { host, port: Number(port) }));
  url.port = String(proxy.port);
  return { ...proxy, url: url.href };
}

/** A TCP proxy in front of a real server, for a test. While it is blocked, it resets open connections and new ones. */
export async function startTcpProxy(t: Test, target: string) {
  let isBlocked = false;
  let refusedConnections = 0;
  const { url, reset, close } = await openServerProxy(target, () => {
    if (isBlocked) refusedConnections += 1;
    return isBlocked;
  });
  t.teardown(close);
  return {
    url,
    block() {
      isBlocked = true;
      reset();
    },
    unblock() {
      isBlocked = false;
    },
    /** The number of connections that were reset while the proxy was blocked. */
    refusedConnections: () => refusedConnections,
  };
}
