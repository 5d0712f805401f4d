import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createRegistry } from '@lms/telemetry/registry';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createServer } from '../src/create-server.ts';
import { createId } from './create-id.ts';

async function startMeasured(t: Test) {
  const registry = createRegistry();
  const app = createServer({ logger: pino({ level: 'silent' }), registry });
  const held: (() => void)[] = [];
  app.get('/things/:id', async () => ({ success: true }));
  app.post('/things', async () => ({ success: true }));
  app.get('/broken', async () => {
    throw new Error('broken');
  });
  app.get('/held', () => new Promise((resolve) => held.push(() => resolve({ success: true }))));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  const tells = (line: string) =>
    waitFor(async () => (await registry.metrics()).split('\n').includes(line), { until: line });
  return { url, registry, held, tells };
}
const counted = (labels: string, count: number) => `http_request_duration_seconds_count{${labels}} ${count}`;

t.test('requests are measured by method, template and status', async (t) => {
  const { url, registry, tells } = await startMeasured(t);
  for (const _ of [1, 2, 3]) await (await fetch(`${url}/things/${createId()}?x=1`)).text();
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
  await (await fetch(`${url}/things`, json)).text();
  await (await fetch(`${url}/broken`)).text();
  await tells(counted('method="GET",route="/things/:id",status="200"', 3));
  await tells(counted('method="POST",route="/things",status="200"', 1));
  await tells(counted('method="GET",route="/broken",status="500"', 1));
  t.match(await registry.metrics(), /_bucket\{method="GET",route="\/things\/:id",status="200",le="30"\} 3/);
});

t.test('whatever strangers ask for, the number of series stays the same', async (t) => {
  const { url, registry, tells } = await startMeasured(t);
  const paths = Array.from({ length: 300 }, (_, n) => `/${n}/${Math.random().toString(36).slice(2)}`);
  for (const path of paths) await (await fetch(url + path)).text();
  await tells(counted('method="GET",route="unknown",status="404"', paths.length));
  for (const method of ['PROPFIND', 'MKCOL', 'PURGE']) {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.end(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`).resume();
    await once(socket, 'close');
  }
  await tells(counted('method="other",route="unknown",status="404"', 3));
  const series = (await registry.metrics()).match(/^http_request_duration_seconds_count/gm);
  t.equal(series?.length, 2);
});

t.test('what is under way is told, and a client that left before its answer is no success', async (t) => {
  const { url, held, tells } = await startMeasured(t);
  const leaving = new AbortController();
  const left = fetch(`${url}/held`, { signal: leaving.signal }).catch(() => 'left');
  const waiting = fetch(`${url}/held`);
  await waitFor(() => held.length === 2);
  await tells('http_requests_in_flight 2');
  leaving.abort();
  t.equal(await left, 'left');
  await tells(counted('method="GET",route="/held",status="499"', 1));
  for (const release of held) release();
  await (await waiting).text();
  await tells(counted('method="GET",route="/held",status="200"', 1));
  await tells('http_requests_in_flight 0');
});
