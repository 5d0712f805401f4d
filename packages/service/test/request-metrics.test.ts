import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createRegistry } from '@lms/telemetry/registry';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createServer } from '../src/create-server.ts';
import { createId } from './create-id.ts';

async function startServer(t: Test) {
  const registry = createRegistry();
  const app = createServer({ logger: pino({ level: 'silent' }), registry });
  const pending: (() => void)[] = [];
  app.get('/things/:id', async () => ({ success: true }));
  app.post('/things', async () => ({ success: true }));
  app.get('/broken', async () => {
    throw new Error('broken');
  });
  app.get('/pending', () => new Promise((resolve) => pending.push(() => resolve({ success: true }))));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  const reported = (line: string) =>
    waitFor(async () => (await registry.metrics()).split('\n').includes(line), { until: line });
  return { url, registry, pending, reported };
}
const countLine = (labels: string, count: number) => `http_request_duration_seconds_count{${labels}} ${count}`;

t.test('requests are recorded by method, route template and status', async (t) => {
  const { url, registry, reported } = await startServer(t);
  for (const _ of [1, 2, 3]) await (await fetch(`${url}/things/${createId()}?x=1`)).text();
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
  await (await fetch(`${url}/things`, json)).text();
  await (await fetch(`${url}/broken`)).text();
  await reported(countLine('method="GET",route="/things/:id",status="200"', 3));
  await reported(countLine('method="POST",route="/things",status="200"', 1));
  await reported(countLine('method="GET",route="/broken",status="500"', 1));
  t.match(await registry.metrics(), /_bucket\{method="GET",route="\/things\/:id",status="200",le="30"\} 3/);
});

t.test('unknown paths and methods create no new series', async (t) => {
  const { url, registry, reported } = await startServer(t);
  const paths = Array.from({ length: 300 }, (_, n) => `/${n}/${Math.random().toString(36).slice(2)}`);
  for (const path of paths) await (await fetch(url + path)).text();
  await reported(countLine('method="GET",route="unknown",status="404"', paths.length));
  for (const method of ['PROPFIND', 'MKCOL', 'PURGE']) {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.end(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`).resume();
    await once(socket, 'close');
  }
  await reported(countLine('method="other",route="unknown",status="404"', 3));
  const series = (await registry.metrics()).match(/^http_request_duration_seconds_count/gm);
  t.equal(series?.length, 2);
});

t.test('requests in flight are reported, and a client that disconnects early is recorded as 499', async (t) => {
  const { url, pending, reported } = await startServer(t);
  const controller = new AbortController();
  const aborted = fetch(`${url}/pending`, { signal: controller.signal }).catch(() => 'aborted');
  const waiting = fetch(`${url}/pending`);
  await waitFor(() => pending.length === 2);
  await reported('http_requests_in_flight 2');
  controller.abort();
  t.equal(await aborted, 'aborted');
  await reported(countLine('method="GET",route="/pending",status="499"', 1));
  for (const release of pending) release();
  await (await waiting).text();
  await reported(countLine('method="GET",route="/pending",status="200"', 1));
  await reported('http_requests_in_flight 0');
});
