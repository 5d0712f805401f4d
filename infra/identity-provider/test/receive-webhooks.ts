import { createServer } from 'node:http';
import type { Test } from 'tap';
import { waitFor } from './start-provider.ts';

export interface Received {
  at: number;
  signature: string;
  raw: string;
  event: { type: string; data: Record<string, unknown> };
  status: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The webhooks that got a 2xx; each once, because one whose sender was stopped is sent again. */
  accepted(): Received[];
  waitForAccepted(count: number): Promise<Received[]>;
}

/** Starts a webhook receiver; `respond` returns the status code for each request. */
export async function receiveWebhooks(
  t: Test,
  respond: (request: { event: Received['event']; count: number }) => number = () => 200,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString('utf8');
    const event: Received['event'] = JSON.parse(raw);
    const status = respond({ event, count: received.length + 1 });
    received.push({ at: Date.now(), signature: String(request.headers['x-webhook-signature']), raw, event, status });
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver is not listening');
  const accepted = () => {
    const all = received.filter(({ status }) => status < 300);
    return all.filter(({ raw }, at) => all.findIndex((one) => one.raw === raw) === at);
  };
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    accepted,
    waitForAccepted: async (count) => {
      await waitFor(() => accepted().length >= count);
      return accepted();
    },
  };
}
