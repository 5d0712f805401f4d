import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { testPrincipal } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { sendRaw, statusesOf } from './send-raw.ts';
import { startGateway } from './start-gateway.ts';
import { type Handler, sendJson } from './start-upstream.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const document = '/api/s3/document/upload';
const stream = '/api/s3/document/stream?key=k';
const path = '/api/enrollment';

/** Counts the requests that arrived and those that their sender aborted. */
function countRequests(next: Handler = () => undefined) {
  const counts = { arrived: 0, aborted: 0 };
  const handler: Handler = (incoming, outgoing) => {
    counts.arrived += 1;
    incoming.on('error', () => undefined);
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) counts.aborted += 1;
    });
    return next(incoming, outgoing);
  };
  return { counts, handler };
}

t.test('the upstream request is aborted when the client disconnects, in every phase', async (t) => {
  const { upstream, url, authHeaders, registry } = await startGateway(t);
  const headers = await authHeaders(testPrincipal(['MENTOR']));
  const open = (route: string, method = 'GET') =>
    sendRequest(url + route, { method, headers }).on('error', () => undefined);

  t.test('while the gateway waits for headers', async (t) => {
    const { counts, handler } = countRequests();
    upstream.respondWith(handler);
    const waiting = open(stream);
    waiting.end();
    await waitFor(() => counts.arrived === 1);
    waiting.destroy();
    await waitFor(() => counts.aborted === 1, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('during a download', async (t) => {
    const { counts, handler } = countRequests((_incoming, outgoing) => outgoing.writeHead(200).write('some'));
    upstream.respondWith(handler);
    const reading = open(stream);
    reading.end();
    await once(reading, 'response');
    reading.destroy();
    await waitFor(() => counts.aborted === 1, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('during an upload', async (t) => {
    let broken = false;
    const { counts, handler } = countRequests((incoming) => incoming.on('aborted', () => (broken = true)).resume());
    upstream.respondWith(handler);
    const writing = open(document, 'POST');
    writing.write('some');
    await waitFor(() => counts.arrived === 1);
    writing.destroy();
    await waitFor(() => counts.aborted === 1 && broken, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('after an upload, before the response', async (t) => {
    const { counts, handler } = countRequests((incoming) => incoming.resume());
    upstream.respondWith(handler);
    const waiting = open(document, 'POST');
    waiting.end('all');
    await waitFor(() => counts.arrived === 1);
    waiting.destroy();
    await waitFor(() => counts.aborted === 1, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('while the principal is resolved: the service receives no request', async (t) => {
    const { counts, handler } = countRequests();
    upstream.respondWith(handler);
    let sendResponse: (() => void) | undefined;
    const user = testPrincipal();
    const unknownUser = await authHeaders(user);
    upstream.respondToPrincipalsWith((_incoming, outgoing) => {
      sendResponse = () => sendJson(outgoing, 200, { success: true, data: user });
    });
    const waiting = sendRequest(url + path, { headers: unknownUser }).on('error', () => undefined);
    waiting.end();
    await waitFor(() => sendResponse, { until: 'the request for the principal' });
    waiting.destroy();
    await waitFor(async () => (await registry.metrics()).includes('\nhttp_requests_in_flight 0\n'), {
      until: 'the gateway to notice that the client has left',
    });
    sendResponse?.();
    upstream.respondToPrincipalsWith(undefined);
    upstream.respondWith(undefined);
    t.equal((await fetch(url + path, { headers: await authHeaders() })).status, 200);
    t.equal(counts.arrived, 0);
  });
});

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

  const { createServer } = await import('node:http');
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
  const { send, upstream, authHeaders } = await startGateway(t);
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
  const { send, upstream, authHeaders } = await startGateway(t);
  const headers = await authHeaders();
  upstream.respondWith(() => undefined);
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: 200 }, () => send(path, { headers })));
  t.ok(performance.now() - startedAt < 35_000, 'one timeout, not two');
  const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length;
  t.ok(count(504) >= 128 && count(504) < 140, `${count(504)} timed out`);
  t.equal(count(503), 200 - count(504));
});

t.test(
  'only idempotent requests without a body are retried, once, when the connection was reset before the first byte',
  async (t) => {
    const { send, upstream, authHeaders } = await startGateway(t);
    const headers = await authHeaders(testPrincipal(['ADMIN']));
    let hits = 0;
    const reset = (times: number): Handler => {
      hits = 0;
      return (incoming, outgoing) => {
        hits += 1;
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
      t.equal((await send(route, { method, headers })).status, status, `${method} after ${resets} resets`);
      t.equal(hits, expected, 'requests that reached the service');
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

t.test('a response that breaks off fails for the client too', async (t) => {
  const { upstream, url, send, authHeaders } = await startGateway(t);
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

t.test('bodies over their limit return 413, with and without Content-Length', async (t) => {
  const { send, url, authHeaders, upstream } = await startGateway(t);
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  const kilobytes = (count: number) => Buffer.alloc(count * 1_024, 'x');
  const users = `/api/users/${id}`;
  t.equal((await send(users, { method: 'PUT', headers, body: kilobytes(256) })).status, 200);
  t.match(await send(users, { method: 'PUT', headers, body: kilobytes(257) }), {
    status: 413,
    json: { code: 'PAYLOAD_TOO_LARGE' },
  });
  for (const [method, route] of [
    ['POST', '/api/admin/education/topics'],
    ['PUT', `/api/admin/education/topics/${id}`],
  ] as const) {
    t.equal((await send(route, { method, headers, body: kilobytes(6 * 1_024) })).status, 200);
    t.equal((await send(route, { method, headers, body: kilobytes(6 * 1_024 + 1) })).status, 413);
  }
  t.equal((await send(document, { method: 'POST', headers, body: kilobytes(8 * 1_024) })).status, 200);

  const before = upstream.requests.length;
  const chunked = sendRequest(url + users, { method: 'PUT', headers }).on('error', () => undefined);
  const responded = once(chunked, 'response');
  for (let piece = 0; piece < 300; piece += 1) chunked.write(kilobytes(1));
  const [response] = await responded;
  t.equal(response.statusCode, 413);
  t.equal(response.headers.connection, 'close');
  response.resume();
  chunked.destroy();
  t.equal(upstream.requests.length, before, 'the service received no complete body');
});

t.test('a response that is sent before the upload has ended reaches the client', async (t) => {
  const { upstream, url, authHeaders } = await startGateway(t);
  const headers = await authHeaders(testPrincipal(['MENTOR']));
  upstream.respondWith((_incoming, outgoing) => {
    sendJson(outgoing, 413, { success: false, code: 'PAYLOAD_TOO_LARGE' }, { connection: 'close' });
  });
  for (let times = 0; times < 5; times += 1) {
    const upload = sendRequest(url + document, { method: 'POST', headers }).on('error', () => undefined);
    const responded = once(upload, 'response');
    const chunk = Buffer.alloc(64 * 1_024);
    const pump = () => {
      for (let room = true; room && !upload.destroyed; ) room = upload.write(chunk);
    };
    upload.on('drain', pump);
    pump();
    const [response]: IncomingMessage[] = await responded;
    t.equal(response?.statusCode, 413);
    upload.off('drain', pump).destroy();
  }
});

t.test('Expect: 100-continue gets 100 only after all checks', async (t) => {
  const { port, upstream, authHeaders } = await startGateway(t);
  const sendExpecting = (headers: string) =>
    sendRaw(
      port,
      `POST ${document} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n`,
    );
  const refused = await sendExpecting('');
  t.match(refused, /^HTTP\/1\.1 401/);
  t.match(refused, /connection: close/i);
  const { authorization } = await authHeaders(testPrincipal(['MENTOR']));
  t.match(await sendExpecting(`Authorization: ${authorization}\r\n`), /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  t.equal(upstream.requests.length, 0);
});

t.test('with too many requests in flight the next returns 503, and /healthz still 200', async (t) => {
  const { send, upstream, url, authHeaders } = await startGateway(t, { environment: { MAX_REQUESTS_IN_FLIGHT: '3' } });
  const headers = await authHeaders();
  const { counts, handler } = countRequests();
  upstream.respondWith(handler);
  const waiting = Array.from({ length: 3 }, () => sendRequest(url + stream, { headers }).on('error', () => undefined));
  for (const one of waiting) one.end();
  await waitFor(() => counts.arrived === 3);
  const refused = await send('/api/education/levels');
  t.match(refused, { status: 503, headers: { 'retry-after': '1' }, json: { code: 'SERVICE_UNAVAILABLE' } });
  t.equal((await send('/healthz')).status, 200);
  for (const one of waiting) one.destroy();
  upstream.respondWith(undefined);
  await waitFor(async () => (await send('/api/education/levels')).status === 200);
});

t.test('a gateway that shuts down finishes responses and closes idle connections', async (t) => {
  const { app, upstream, url, authHeaders, agent } = await startGateway(t);
  const headers = await authHeaders();
  let finish: (() => void) | undefined;
  upstream.respondWith((_incoming, outgoing) => {
    outgoing.writeHead(200).write('begun ');
    finish = () => outgoing.end('and ended');
  });
  const { request } = await import('undici');
  const response = await request(url + stream, { headers, dispatcher: agent });
  const closed = app.close();
  await waitFor(() => !app.server.listening);
  finish?.();
  t.equal(await response.body.text(), 'begun and ended');
  const startedAt = performance.now();
  await closed;
  t.ok(performance.now() - startedAt < 15_000, 'idle connections do not delay it');
});

t.test('each request is logged in one line, without secrets', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  const { send, authHeaders, upstream } = await startGateway(t, { logger });
  const user = testPrincipal(['LEARNER'], { email: 'secret@lms.test' });
  const headers = await authHeaders(user);
  const requestLines = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const untilLogged = (count: number) =>
    waitFor(() => requestLines().length === count, { until: `${count} log lines` });
  const { headers: response } = await send(`${path}/${id}?search=private`, { headers });
  await untilLogged(1);
  await send('/api/webhooks/identity', {
    method: 'POST',
    headers: { 'x-webhook-signature': 'sig-secret' },
    body: '{}',
  });
  await untilLogged(2);
  upstream.respondWith((incoming) => incoming.socket.destroy());
  await send(path, { headers });
  await untilLogged(3);
  await send('/api/nothing');
  await untilLogged(4);
  t.match(requestLines()[0], {
    requestId: response['x-request-id'],
    method: 'GET',
    route: '/api/enrollment/:id',
    status: 200,
    userId: user.userId,
    durationMs: Number,
  });
  t.same(
    requestLines().map(({ status }) => status),
    [200, 200, 503, 404],
  );
  const everything = lines.join('');
  for (const secret of [headers.authorization.slice(7), user.email, 'sig-secret', 'private'])
    t.notOk(everything.includes(secret), secret.slice(0, 10));
});

t.test('pipelined requests get their responses in order', async (t) => {
  const { port } = await startGateway(t);
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
