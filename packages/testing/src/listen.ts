import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Test } from 'tap';

/** Starts an HTTP server on a free port and returns its URL. The server is closed when the test ends. */
export async function listen(t: Test, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}
