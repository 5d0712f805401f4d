import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { levelEvents, topicEvents } from '@lms/contracts/events/content';
import { testPrincipal } from '@lms/testing/principals';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { publishEvent } from './publish-event.ts';
import { shareGateway } from './start-gateway.ts';
import { readAll, sendJson } from './start-upstream.ts';

const levels = '/api/education/levels';
const id = 'tz4a98xxat96iws9zmbrgj3a';

const nats = await startNats(t);
const sharedGateway = await shareGateway(t, { environment: { NATS_URL: nats.url } });

/** The shared gateway with an empty cache, and content, whose responses are numbered. */
async function start() {
  const gateway = sharedGateway();
  const headers = await gateway.authHeaders(testPrincipal(['ADMIN']));
  await gateway.send('/api/admin/education/levels', { method: 'POST', headers, body: '{}' });
  const content = { hits: 0, version: 1 };
  gateway.upstream.respondWith((_incoming, outgoing) => {
    content.hits += 1;
    const etag = `"${content.version}"`;
    sendJson(outgoing, 200, { success: true, data: content.version }, { etag, link: '<x>; rel="first"' });
  });
  return { ...gateway, content };
}

t.test('anonymous reads are requested once and then served from the cache', async (t) => {
  const { send, content } = await start();
  const responses = await Promise.all(Array.from({ length: 50 }, () => send(levels)));
  t.equal(content.hits, 1, 'fifty concurrent misses share one request');
  t.ok(responses.every(({ status, json }) => status === 200 && json.data === 1));
  t.equal(new Set(responses.map(({ headers }) => headers['x-request-id'])).size, 50);
  t.match(await send(levels), {
    headers: {
      etag: '"1"',
      link: '<x>; rel="first"',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  });
  t.equal(content.hits, 1);
  await send(`${levels}?page=2`);
  t.equal(content.hits, 2, 'another query is another request');
});

t.test('a cached response also reaches clients that send a body before they read', async (t) => {
  const { port, send } = await start();
  await send(levels);
  const length = 3 * 1_024 * 1_024;
  const socket = connect(port, '127.0.0.1').pause();
  const write = promisify((bytes: string | Buffer, done: (error?: Error | null) => void) => socket.write(bytes, done));
  await write(`GET ${levels} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  for (let sent = 0; sent < length; sent += 65_536) {
    await write(Buffer.alloc(65_536));
    await nextTurn();
  }
  t.match((await readAll(socket)).toString(), /^HTTP\/1\.1 200 /);
});

t.test('every anonymous read is cached, and no other route', async (t) => {
  const { send, content, authHeaders } = await start();
  const cacheable = [
    levels,
    `/api/education/levels/${id}/grades`,
    `/api/education/grades/${id}/subjects`,
    `/api/education/subjects/${id}/topics`,
    `/api/education/topics/${id}`,
    '/api/education/tree',
    '/api/education/search?q=a',
  ];
  for (const path of cacheable) {
    content.hits = 0;
    for (let times = 0; times < 3; times += 1) t.equal((await send(path)).status, 200);
    t.equal(content.hits, 1, path);
  }
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  const others: [string, Record<string, string>][] = [
    ...cacheable.map((path): [string, Record<string, string>] => [path, headers]),
    [`/api/education/topics/${id}/video`, {}],
    ['/api/admin/education/levels', headers],
  ];
  for (const [path, sent] of others) {
    content.hits = 0;
    for (let times = 0; times < 3; times += 1) await send(path, { headers: sent });
    t.equal(content.hits, 3, `${path} ${sent.authorization ? 'with a token' : ''}`);
  }
});

t.test('If-None-Match returns 304, and HEAD returns the headers only', async (t) => {
  const { send, content } = await start();
  await send(levels);
  for (const known of ['"1"', 'W/"1"', '"0", "1"', '*']) {
    const response = await send(levels, { headers: { 'if-none-match': known } });
    t.match(response, { status: 304, headers: { etag: '"1"', 'x-ratelimit-limit': '1000000' } }, known);
    t.equal(response.bytes.length, 0);
  }
  t.equal((await send(levels, { headers: { 'if-none-match': '"0"' } })).status, 200);
  const [got, head] = [await send(levels), await send(levels, { method: 'HEAD' })];
  t.match(head, { status: 200, headers: { etag: '"1"', 'content-length': String(got.bytes.length) } });
  t.equal(head.bytes.length, 0);
  t.equal(content.hits, 1);
  const first = await send(`${levels}?page=9`, { headers: { 'if-none-match': '"1"' } });
  t.equal(first.status, 304, 'also for a response that is not cached yet');
});

t.test('an event of content makes a change visible at once', async (t) => {
  const { send, content } = await start();
  for (const { subject } of [levelEvents.updated, topicEvents.created]) {
    await send(levels);
    content.version += 1;
    const startedAt = performance.now();
    await publishEvent(nats.url, subject, { id });
    await waitFor(async () => (await send(levels)).json.data === content.version);
    t.ok(performance.now() - startedAt < 4_000, subject);
  }
});

t.test('without events a response is cached for five seconds', async (t) => {
  const { send, content } = await start();
  const startedAt = performance.now();
  await send(levels);
  content.version = 2;
  await waitFor(async () => (await send(levels)).json.data === 2);
  const elapsedMs = performance.now() - startedAt;
  t.ok(elapsedMs >= 4_900 && elapsedMs < 20_000, `${Math.round(elapsedMs)} ms`);
});

t.test('a change made through this gateway is visible at once', async (t) => {
  const { send, content, authHeaders } = await start();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  for (const [method, path] of [
    ['POST', '/api/admin/education/levels'],
    ['PUT', `/api/admin/education/topics/${id}`],
    ['DELETE', `/api/admin/education/topics/${id}/video`],
    ['POST', '/api/s3/document/upload'],
  ] as const) {
    await send(levels);
    content.version += 1;
    await send(path, { method, headers, body: '{}' });
    t.equal((await send(levels)).json.data, content.version, `${method} ${path}`);
  }
});

t.test('a POST that changes no content does not clear the cache', async (t) => {
  const { send, content, authHeaders } = await start();
  await send(levels);
  const headers = await authHeaders();
  await send(`/api/education/topics/${id}/video/playback`, { method: 'POST', headers, body: '{}' });
  await send(levels);
  t.equal(content.hits, 2);
});

t.test('a response that was requested before a change is not cached after it', async (t) => {
  const { send, upstream, authHeaders } = await start();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  const pending: (() => void)[] = [];
  upstream.respondWith((_incoming, outgoing) => {
    pending.push(() => sendJson(outgoing, 200, { success: true, data: 'old' }));
  });
  const early = send(levels);
  await waitFor(() => pending.length === 1);
  upstream.respondWith((_incoming, outgoing) => sendJson(outgoing, 200, { success: true, data: 'new' }));
  await send('/api/admin/education/levels', { method: 'POST', headers, body: '{}' });
  t.equal((await send(levels)).json.data, 'new', 'requests no longer join the old request');
  for (const respond of pending) respond();
  t.equal((await early).json.data, 'old');
  t.equal((await send(levels)).json.data, 'new');
});

t.test('errors are not cached, and each has the id of its own request', async (t) => {
  const { send, upstream, registry } = await start();
  const untilInFlight = (count: number) =>
    waitFor(async () => (await registry.metrics()).includes(`\nhttp_requests_in_flight ${count}\n`));
  let hits = 0;
  const failWith = (status: number, code: string, until: () => Promise<unknown>) =>
    upstream.respondWith(async (_incoming, outgoing) => {
      hits += 1;
      const body = { success: false, error: 'x', code, requestId: 'of-another-request' };
      await until();
      sendJson(outgoing, status, body, { 'retry-after': '3' });
    });
  failWith(404, 'NOT_FOUND', () => untilInFlight(10));
  const path = `/api/education/levels/${id}/grades`;
  const responses = await Promise.all(Array.from({ length: 10 }, () => send(path)));
  t.equal(hits, 1);
  for (const { status, json, headers } of responses) {
    t.match({ status, json }, { status: 404, json: { success: false, code: 'NOT_FOUND', error: 'x' } });
    t.equal(json.requestId, headers['x-request-id']);
  }
  failWith(404, 'NOT_FOUND', async () => undefined);
  await send(path);
  t.equal(hits, 2);
  failWith(503, 'SERVICE_UNAVAILABLE', async () => undefined);
  t.match(await send(path), { status: 503, headers: { 'retry-after': '3' } });
  upstream.respondWith((incoming) => incoming.socket.destroy());
  const broken = await Promise.all(Array.from({ length: 5 }, () => send(path)));
  t.ok(broken.every(({ status, json }) => status === 503 && json.code === 'SERVICE_UNAVAILABLE'));
  upstream.respondWith((_incoming, outgoing) => sendJson(outgoing, 200, { success: true, data: [] }));
  await waitFor(async () => (await send(path)).status === 200);
});

t.test('if the first of several concurrent clients disconnects, the others get the response', async (t) => {
  const { send, upstream, url } = await start();
  let sendResponse: (() => void) | undefined;
  let hits = 0;
  upstream.respondWith((_incoming, outgoing) => {
    hits += 1;
    sendResponse = () => sendJson(outgoing, 200, { success: true, data: 'late' });
  });
  const leaving = new AbortController();
  const first = fetch(url + levels, { signal: leaving.signal }).catch(() => undefined);
  await waitFor(() => sendResponse);
  const second = send(levels);
  leaving.abort();
  await first;
  sendResponse?.();
  t.equal((await second).json.data, 'late');
  t.equal(hits, 1);
});

t.test('a response that is too long for the cache is streamed', async (t) => {
  const { send, upstream } = await start();
  let hits = 0;
  const data = 'x'.repeat(1_200 * 1_024);
  upstream.respondWith((_incoming, outgoing) => {
    hits += 1;
    sendJson(outgoing, 200, { success: true, data });
  });
  for (let times = 0; times < 3; times += 1) t.equal((await send('/api/education/tree')).json.data.length, data.length);
  t.equal(hits, 4, 'one attempt to cache it, and one request for each client');
});
