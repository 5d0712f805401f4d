import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Test } from 'tap';

type Handle = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

/** Starts a server that responds to the nth request as the test says. */
export async function serve(t: Test, handle: Handle) {
  let count = 0;
  const server = createServer((request, response) => handle(request, response, ++count)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, count: () => count };
}

export const json = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const failure = (code: string) => ({ success: false, error: 'Failed', code, requestId: 'r' });
