import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface ConnectionProxy {
  url: string;
  /** Resets all open connections. New ones are accepted. */
  reset(): void;
  close(): void;
}

/** Resets a connection. Node.js 20 cannot reset a socket whose end is being sent, and its process would never exit. */
const resetConnection = (socket: Socket) => void (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());

/** A TCP proxy between a process and one of its servers. */
export async function startConnectionProxy(target: string): Promise<ConnectionProxy> {
  const { hostname, port } = new URL(target);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    clients.add(client);
    client.on('error', () => undefined);
    upstream.on('error', () => resetConnection(client));
    client.on('close', () => {
      clients.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const url = new URL(target);
  url.port = String(address.port);
  const reset = () => {
    for (const client of clients) resetConnection(client);
  };
  return {
    url: url.href,
    reset,
    close() {
      server.close();
      reset();
    },
  };
}
