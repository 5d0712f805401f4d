import { createServer } from 'node:http';
import type { Test } from 'tap';
import { until } from './start-provider.ts';

export interface Received {
  at: number;
  signature: string;
  raw: string;
  event: { type: string; data: Record<string, unknown> };
  answered: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What was answered with a 2xx. */
  accepted(): Received[];
  waitForAccepted(count: number): Promise<Received[]>;
}

/** A real webhook receiver; `answer` chooses the status of each request. */
export async function receiveWebhooks(
  t: Test,
  answer: (request: { event: Received['event']; count: number }) => number = () => 200,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString('utf8');
    const event: Received['event'] = JSON.parse(raw);
    const answered = answer({ event, count: received.length + 1 });
    received.push({ at: Date.now(), signature: String(request.headers['x-webhook-signature']), raw, event, answered });
    response.writeHead(answered).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver does not listen');
  const accepted = () => received.filter(({ answered }) => answered < 300);
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    accepted,
    waitForAccepted: async (count) => {
      await until(() => accepted().length >= count);
      return accepted();
    },
  };
}
