import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Test } from 'tap';

/** Has an HTTP server of the test's own listen until the test ends, and resolves to its URL. */
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
