import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** Resets a connection. Node.js 20 cannot reset a socket whose end is being sent, and its process would never exit. */
const resetConnection = (socket: Socket) => void (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());

/** A TCP proxy in front of a real server. While it is blocked, it resets open connections and new ones. */
export async function startTcpProxy(t: Test, target: string) {
  const { hostname, port } = new URL(target);
  const clients = new Set<Socket>();
  let isBlocked = false;
  let refusedConnections = 0;

  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (isBlocked) {
      refusedConnections += 1;
      return client.resetAndDestroy();
    }
    const upstream = connect(Number(port), hostname);
    upstream.on('error', () => client.destroy());
    clients.add(client);
    client.on('close', () => {
      clients.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const block = () => {
    isBlocked = true;
    for (const client of clients) resetConnection(client);
  };
  t.teardown(() => {
    block();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const url = new URL(target);
  url.port = String(address.port);
  return {
    url: url.href,
    block,
    unblock: () => {
      isBlocked = false;
    },
    /** The number of connections that were reset while the proxy was blocked. */
    refusedConnections: () => refusedConnections,
  };
}
