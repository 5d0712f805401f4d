import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

const postMethod = Buffer.from('POST ');

/**
 * A TCP proxy in front of the gateway that resets connections which send much: each one after a random number of bytes, as
 * often as in `cuts`. Smaller requests pass.
 */
export async function startCuttingProxy(
  t: Test,
  target: string,
  { cuts, maxBytes }: { cuts: number; maxBytes: number },
) {
  const { hostname, port } = new URL(target);
  const minBytes = 64 * 1_024;
  let cutCount = 0;
  let postCount = 0;
  let onCut: (count: number) => void = () => undefined;
  const clients = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const limit = minBytes + Math.floor(Math.random() * (maxBytes - minBytes));
    let sent = 0;
    clients.add(client);
    const end = () => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    client.on('error', end).on('close', end);
    upstream.on('error', end).on('close', end);
    client.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      if (chunk.subarray(0, 5).equals(postMethod)) postCount += 1;
      if (sent <= limit || cutCount >= cuts) return;
      cutCount += 1;
      client.resetAndDestroy();
      // What has arrived is passed on.
      upstream.end();
      onCut(cutCount);
    });
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    // The process would not exit before the keep-alive timeout of the gateway.
    for (const client of clients) client.destroy();
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address?.port}`,
    cuts: () => cutCount,
    /** The number of POST requests. */
    posts: () => postCount,
    onCut(handler: typeof onCut) {
      onCut = handler;
    },
  };
}
