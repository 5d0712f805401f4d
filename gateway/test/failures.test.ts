import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { testPrincipal } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { sendRaw, statusesOf } from './send-raw.ts';
import { shareGateway, startGateway } from './start-gateway.ts';
import { type Handler, sendJson } from './start-upstream.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const stream = '/api/s3/document/stream?key=k';
const path = '/api/enrollment';
// Each test ends with fewer failures in a row than open a circuit breaker.
const sharedGateway = await shareGateway(t);

t.test('a service that is down affects only its own routes, which work again when it is back', async (t) => {
  const port = await freePort();
  const { send, authHeaders } = await startGateway(t, { environment: { ENROLLMENT_URL: `http://127.0.0.1:${port}` } });
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  const refused = await send(path, { headers });
  t.match(refused, { status: 503, json: { success: false, code: 'SERVICE_UNAVAILABLE' } });
  t.ok(Number(refused.headers['retry-after']) >= 1);
  t.notMatch(refused.bytes.toString(), /127\.0\.0\.1|ECONN|enrollment/, 'no internal detail is disclosed');
  for (let times = 0; times < 10; times += 1) t.equal((await send(path, { headers })).status, 503);
  t.equal((await send('/api/users', { headers })).status, 200, 'other services still work');
  t.equal((await send('/api/education/levels')).status, 200);

  const server = createServer((_incoming, outgoing) => sendJson(outgoing, 200, { success: true }));
  server.listen(port, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await waitFor(async () => (await send(path, { headers })).status === 200, {
    until: 'the service to be reached again',
  });
});

t.test('a service that does not respond returns 504, and after a few timeouts 503 at once', async (t) => {
  const { send, upstream, authHeaders } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  t.equal((await send(path, { headers })).status, 200);
  upstream.respondWith(() => undefined);
  const startedAt = performance.now();
  const slow = await Promise.all(Array.from({ length: 6 }, () => send(path, { headers })));
  const elapsedMs = performance.now() - startedAt;
  t.same(new Set(slow.map(({ status }) => status)), new Set([504]));
  t.match(slow[0]?.json, { code: 'UPSTREAM_TIMEOUT' });
  t.ok(elapsedMs > 9_000 && elapsedMs < 40_000, `${Math.round(elapsedMs)} ms`);
  // On a busy machine the circuit breaker may already admit a trial request, which takes as long as the others.
  const refusedInMs = await waitFor(
    async () => {
      const sentAt = performance.now();
      const { status } = await send(path, { headers });
      return status === 503 ? performance.now() - sentAt : undefined;
    },
    { timeoutMs: 60_000, until: 'a request to be refused' },
  );
  t.ok(refusedInMs < 5_000, 'at once');
  upstream.respondWith(undefined);
  await waitFor(async () => (await send(path, { headers })).status === 200, {
    until: 'a request to reach the service again',
  });
});

t.test('requests that wait for a connection fail when the circuit breaker opens', async (t) => {
  const { send, upstream, authHeaders } = sharedGateway();
  const headers = await authHeaders();
  upstream.respondWith(() => undefined);
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: 400 }, () => send(path, { headers })));
  t.ok(performance.now() - startedAt < 35_000, 'one timeout, not two');
  const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length;
  t.ok(count(504) >= 256 && count(504) < 280, `${count(504)} timed out`);
  t.equal(count(503), 400 - count(504));
  upstream.respondWith(undefined);
  await waitFor(async () => (await send(path, { headers })).status === 200, { until: 'the circuit breaker to close' });
});

t.test(
  'only idempotent requests without a body are retried, once, when the connection was reset before the first byte',
  async (t) => {
    const { send, upstream, authHeaders } = sharedGateway();
    const headers = await authHeaders(testPrincipal(['ADMIN']));
    let hits = 0;
    let marked: unknown[] = [];
    const reset = (times: number): Handler => {
      hits = 0;
      marked = [];
      return (incoming, outgoing) => {
        hits += 1;
        marked.push(incoming.headers['x-lms-retry']);
        if (hits <= times) return incoming.socket.destroy();
        return sendJson(outgoing, 200, { success: true });
      };
    };
    const cases: [string, string, number, number, number][] = [
      ['GET', path, 1, 200, 2],
      ['HEAD', path, 1, 200, 2],
      ['DELETE', `/api/learning/notes/${id}`, 1, 200, 2],
      ['PUT', `/api/learning/topics/${id}/completion`, 1, 200, 2],
      ['GET', path, 9, 503, 2],
      ['POST', `/api/enrollment/${id}/cancel`, 1, 503, 1],
    ];
    for (const [method, route, resets, status, expected] of cases) {
      upstream.respondWith(reset(resets));
      const response = await send(route, { method, headers: { ...headers, 'x-lms-retry': '1' } });
      t.equal(response.status, status, `${method} after ${resets} resets`);
      t.equal(hits, expected, 'requests that reached the service');
      t.same(marked, [undefined, '1'].slice(0, expected), 'only the repetition is marked, whatever the client sends');
    }
    upstream.respondWith(reset(1));
    const withBody = await send(`/api/learning/notes/${id}`, { method: 'PUT', headers, body: '{"content":"x"}' });
    t.equal(withBody.status, 503, 'a streamed body cannot be sent again');
    t.equal(hits, 1);

    for (const status of [500, 502, 503, 504]) {
      hits = 0;
      upstream.respondWith((_incoming, outgoing) => {
        hits += 1;
        sendJson(outgoing, status, { success: false }, { 'retry-after': '1' });
      });
      t.equal((await send(path, { headers })).status, status);
      t.equal(hits, 1, `a ${status} is not retried`);
    }
  },
);

t.test('the error page of a load balancer before a service becomes a 503 in the envelope', async (t) => {
  const { send, upstream, authHeaders } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  upstream.respondWith((_incoming, outgoing) =>
    outgoing
      .writeHead(503, { 'content-type': 'text/html' })
      .end('<html><body><h1>503 Service Unavailable</h1></body></html>'),
  );
  for (const url of [path, stream, '/api/education/levels']) {
    const { status, json, headers: received } = await send(url, url.startsWith('/api/education') ? {} : { headers });
    t.match({ status, json }, { status: 503, json: { success: false, code: 'SERVICE_UNAVAILABLE' } }, url);
    t.ok(received['retry-after'], url);
  }
  upstream.respondWith(undefined);
  for (const url of [path, stream, '/api/admin/education/levels'])
    t.equal((await send(url, { headers })).status, 200, url);
});

t.test('a response that breaks off fails for the client too', async (t) => {
  const { upstream, url, send, authHeaders } = sharedGateway();
  const headers = await authHeaders();
  let requests = 0;
  let breakOff = () => {};
  const beginResponse = (length: object) =>
    upstream.respondWith((_incoming, outgoing) => {
      requests += 1;
      outgoing.writeHead(200, { ...length }).write('half');
      breakOff = () => outgoing.destroy();
    });
  for (const length of [{}, { 'content-length': 1_000_000 }]) {
    beginResponse(length);
    const response = await fetch(url + stream, { headers });
    breakOff();
    await t.rejects(response.text(), JSON.stringify(length));
  }
  // Nothing of a short body has been passed on yet.
  upstream.respondWith((_incoming, outgoing) => {
    requests += 1;
    outgoing.writeHead(200, { 'content-length': 100 }).write('half', () => outgoing.destroy());
  });
  requests = 0;
  t.match(await send(stream, { headers }), { status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
  t.equal(requests, 1, 'it is not sent again');
});

t.test('malformed bytes during a response end it, and add nothing to it', async (t) => {
  const { port, upstream } = sharedGateway();
  upstream.respondWith(
    (_incoming, outgoing) => void outgoing.writeHead(200, { 'content-length': 1_000_000 }).write('some'),
  );
  const request = `GET /api/education/topics/${id}/video HTTP/1.1\r\nHost: x\r\n\r\n`;
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    if (!text.includes('\r\n\r\n')) socket.write('BAD\x01\r\n\r\n');
    text += chunk;
  });
  await once(socket, 'close');
  t.match(text, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nsome$/s);
});

t.test('pipelined requests get their responses in order', async (t) => {
  const { port } = sharedGateway();
  const get = (route: string) => `GET ${route} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const text = await sendRaw(
    port,
    get('/api/education/levels') + get('/api/nothing') + get('/healthz') + get('/api/users'),
    { responses: 4 },
  );
  t.same(statusesOf(text), [200, 404, 200, 401]);
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  t.teardown(() => process.off('warning', onWarning));
  const many = await sendRaw(port, get(`/api/education/topics/${id}/video`).repeat(20), { responses: 20 });
  t.same(statusesOf(many), Array(20).fill(200));
  t.same(warnings, [], 'many on one connection cause no warning');
});
