import { setImmediate } from 'node:timers/promises';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { createServer } from '../src/create-server.ts';
import { limitConcurrency, onceSent } from '../src/limit-concurrency.ts';

// Waiting alone does not keep a process alive.
const timer = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(timer));

const refused = { code: 'SERVICE_UNAVAILABLE', statusCode: 503 };

t.test('those over the limit are refused after they have waited', async (t) => {
  const begin = limitConcurrency({ max: 2, maxWaitMs: 20 });
  const end = await begin('a');
  await begin('b');
  await t.rejects(begin('c'), refused);
  end();
  end();
  await begin('c');
  await t.rejects(begin('d'), refused, 'ended twice, it counts once');
});

t.test('of the same key, one runs at a time', async (t) => {
  const begin = limitConcurrency({ max: 2, maxWaitMs: 20 });
  await begin('a');
  await t.rejects(begin('a'), refused);
  await begin('b');
});

t.test('those that wait begin one after the other', async (t) => {
  const begin = limitConcurrency({ max: 1, maxWaitMs: 60_000 });
  const order: string[] = [];
  const run = async (key: string) => {
    const end = await begin(key);
    order.push(`${key} begins`);
    await setImmediate();
    order.push(`${key} ends`);
    end();
  };
  await Promise.all(['a', 'a', 'b', 'c'].map(run));
  t.equal(order.length, 8);
  const begins = order.filter((_, index) => index % 2 === 0);
  t.same(
    order.filter((_, index) => index % 2 === 1),
    begins.map((step) => step.replace('begins', 'ends')),
  );
});

t.test(
  'what was begun ends with the response, with a client that disconnects, and after the longest time',
  async (t) => {
    const app = createServer({ logger: pino({ level: 'silent' }) });
    t.teardown(() => app.close());
    const state = { begun: 0, ended: 0 };
    const work = { done: Promise.resolve() };
    app.get<{ Querystring: { length: number; maxMs: number } }>('/', async ({ query }, reply) => {
      state.begun += 1;
      try {
        await work.done;
        return 'x'.repeat(Number(query.length));
      } finally {
        onceSent(reply, () => (state.ended += 1), Number(query.maxMs));
      }
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    t.equal((await (await fetch(`${url}?length=10&maxMs=60000`)).text()).length, 10);
    await waitFor(() => state.ended === 1);

    let finish = () => {};
    work.done = new Promise((resolve) => {
      finish = resolve;
    });
    const controller = new AbortController();
    const aborted = fetch(`${url}?length=10&maxMs=60000`, { signal: controller.signal });
    await waitFor(() => state.begun === 2);
    controller.abort();
    await t.rejects(aborted);
    t.equal(state.ended, 1, 'the work goes on');
    finish();
    await waitFor(() => state.ended === 2);

    const unread = await fetch(`${url}?length=100000000&maxMs=100`);
    await waitFor(() => state.ended === 3);
    await t.rejects(unread.text());
  },
);
