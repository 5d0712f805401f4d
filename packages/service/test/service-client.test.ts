import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { Timestamp } from '@lms/contracts/text';
import { waitFor } from '@lms/testing/wait-for';
import { Type } from '@sinclair/typebox';
import t, { type Test } from 'tap';
import { createServer } from '../src/create-server.ts';
import { defineProblem } from '../src/problems.ts';
import { callContextOf, createServiceClient } from '../src/service-client.ts';
import { recordingLogger } from './build-server.ts';

const Fact = Type.Object({ id: Type.String(), at: Timestamp() });
const fact = { id: 'a', at: '2026-01-31T12:00:00.000Z' };
const context = { requestId: 'request-0001' };

async function startHttp(t: Test, listener: RequestListener) {
  const server = createHttpServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}` };
}

function client(t: Test, url: string) {
  const serviceClient = createServiceClient(url);
  t.teardown(() => serviceClient.close());
  return serviceClient;
}

const failureOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'no failure',
    (error) => error,
  );

const respondWith = (status: number, body: unknown) => (t: Test) =>
  startHttp(t, (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body)),
  );

t.test('a request passes on the passport and the request id', async (t) => {
  const received: unknown[] = [];
  const { url } = await startHttp(t, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { 'x-lms-identity': passport, 'x-request-id': requestId, 'content-type': type } = request.headers;
      received.push([request.method, request.url, passport, requestId, type, body]);
      response.end(JSON.stringify({ success: true, data: fact }));
    });
  });
  const { request } = client(t, url);
  t.same(await request(Fact, { ...context, passport: 'signed' }, { path: '/internal/a?b=c' }), fact);
  await request(Fact, context, { method: 'POST', path: '/internal/b', body: { n: 1 } });
  await request(Fact, context, { method: 'DELETE', path: '/internal/c' });
  t.same(received, [
    ['GET', '/internal/a?b=c', 'signed', 'request-0001', undefined, ''],
    ['POST', '/internal/b', undefined, 'request-0001', 'application/json', '{"n":1}'],
    ['DELETE', '/internal/c', undefined, 'request-0001', undefined, ''],
  ]);
});

t.test('callContextOf reads passport and request id of the incoming request', async (t) => {
  const { logger } = recordingLogger();
  const received: unknown[] = [];
  const { url } = await startHttp(t, (request, response) => {
    received.push([request.headers['x-lms-identity'], request.headers['x-request-id']]);
    response.end(JSON.stringify({ success: true, data: fact }));
  });
  const content = client(t, url);
  const app = createServer({ logger });
  app.get('/fact', async (request) => ({
    success: true,
    data: await content.request(Fact, callContextOf(request), { path: '/x' }),
  }));
  t.teardown(() => app.close());
  await app.inject({ url: '/fact', headers: { 'x-lms-identity': 'signed', 'x-request-id': 'request-0002' } });
  await app.inject({ url: '/fact', headers: { 'x-request-id': 'request-0003' } });
  t.same(received, [
    ['signed', 'request-0002'],
    [undefined, 'request-0003'],
  ]);
});

t.test('a 4xx error is thrown with its code, message and details', async (t) => {
  const { logger } = recordingLogger();
  const Enrolled = defineProblem('ENROLLMENT_REQUIRED', 403, 'Only 100 % of %s may %d');
  const other = createServer({ logger });
  other.get('/refuse', () => Promise.reject(new Enrolled({ details: { subjectId: 'a' } })));
  await other.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => other.close());
  const content = client(t, other.listeningOrigin);

  await t.rejects(content.request(Fact, context, { path: '/refuse' }), {
    statusCode: 403,
    code: 'ENROLLMENT_REQUIRED',
    message: 'Only 100 % of %s may %d',
    details: { subjectId: 'a' },
  });
  t.match(await failureOf(content.request(Fact, context, { path: '/nowhere' })), {
    statusCode: 404,
    code: 'NOT_FOUND',
  });

  const own = createServer({ logger });
  own.get('/pass', async (request) => content.request(Fact, callContextOf(request), { path: '/refuse' }));
  t.teardown(() => own.close());
  const response = await own.inject('/pass');
  t.equal(response.statusCode, 403);
  t.match(response.json(), {
    error: 'Only 100 % of %s may %d',
    code: 'ENROLLMENT_REQUIRED',
    details: { subjectId: 'a' },
  });
});

t.test('an unreachable service or an invalid response is a 503 with Retry-After', async (t) => {
  const broken = {
    'a 500': respondWith(500, { success: false, error: 'x', code: 'INTERNAL_ERROR', requestId: 'r' }),
    'a 503': respondWith(503, { success: false, error: 'x', code: 'SERVICE_UNAVAILABLE', requestId: 'r' }),
    'a redirect': respondWith(302, ''),
    'not JSON': respondWith(200, 'hello'),
    nothing: respondWith(200, ''),
    'a truncated body': respondWith(200, '{"success":true,"da'),
    'another shape': respondWith(200, { success: true, data: { id: 1 } }),
    'an invalid timestamp': respondWith(200, { success: true, data: { ...fact, at: 'soon' } }),
    'without the envelope': respondWith(200, fact),
    'a 404 without the envelope': respondWith(404, '<html>nginx</html>'),
    'a 400 without the envelope': respondWith(400, { message: 'Bad Request' }),
    'a closed connection': (t: Test) => startHttp(t, (request) => request.socket.destroy()),
  };
  for (const [name, start] of Object.entries(broken)) {
    const { url } = await start(t);
    const failure = client(t, url).request(Fact, context, { path: '/x' });
    t.match(await failureOf(failure), { statusCode: 503, headers: { 'retry-after': /^\d+$/ } }, name);
  }
  const down = client(t, 'http://127.0.0.1:1');
  t.match(await failureOf(down.request(Fact, context, { path: '/x' })), { statusCode: 503 }, 'a closed port');
  const unknown = client(t, 'http://nowhere.invalid:80');
  t.match(await failureOf(unknown.request(Fact, context, { path: '/x' })), { statusCode: 503 }, 'an unknown host');
});

t.test('headers and body together must arrive within two seconds', async (t) => {
  const silent = await startHttp(t, () => undefined);
  const trickling = await startHttp(t, (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  });
  const tcpServer = createTcpServer(() => undefined).listen(0, '127.0.0.1');
  await once(tcpServer, 'listening');
  t.teardown(() => void tcpServer.close());
  const address = tcpServer.address();
  const unresponsive = { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}` };
  const startedAt = Date.now();
  await Promise.all(
    [silent, trickling, unresponsive].map(async ({ url }) =>
      t.match(await failureOf(client(t, url).request(Fact, context, { path: '/x' })), { statusCode: 503 }),
    ),
  );
  const tookMs = Date.now() - startedAt;
  t.ok(tookMs > 1_500 && tookMs < 15_000, `${tookMs} ms`);
});

t.test('connections are reused, and reopened when the service restarts', async (t) => {
  let connections = 0;
  const sockets = new Set<Socket>();
  const { server, url } = await startHttp(t, (_request, response) =>
    response.end(JSON.stringify({ success: true, data: fact })),
  );
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  const { request } = client(t, url);
  for (let n = 0; n < 20; n += 1) await request(Fact, context, { path: '/x' });
  t.ok(connections <= 2, `${connections}`);
  for (const socket of sockets) socket.destroy();
  await Promise.all([...sockets].map((socket) => socket.closed || once(socket, 'close')));
  t.same(await request(Fact, context, { path: '/x' }).catch(() => request(Fact, context, { path: '/x' })), fact);
  t.ok(connections <= 4, `${connections}`);
});

t.test('many parallel requests use at most 64 connections', async (t) => {
  let [connections, most] = [0, 0];
  const { server, url } = await startHttp(t, (_request, response) =>
    response.end(JSON.stringify({ success: true, data: fact })),
  );
  server.on('connection', (socket) => {
    connections += 1;
    most = Math.max(most, connections);
    socket.on('close', () => {
      connections -= 1;
    });
  });
  const { request } = client(t, url);
  // On a busy machine some of them reach their deadline.
  const results = await Promise.allSettled(Array.from({ length: 300 }, () => request(Fact, context, { path: '/x' })));
  t.ok(results.some(({ status }) => status === 'fulfilled'));
  t.ok(most <= 64, `${most}`);
});

t.test('closing waits for pending requests and closes the connections', async (t) => {
  const { server, url } = await startHttp(t, (request, response) => {
    if (request.url === '/x') response.end(JSON.stringify({ success: true, data: fact }));
  });
  const idle = createServiceClient(url);
  await idle.request(Fact, context, { path: '/x' });
  await idle.close();
  await waitFor(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count === 0))));
  const busy = createServiceClient(url);
  const open = failureOf(busy.request(Fact, context, { path: '/never' }));
  const closingAt = Date.now();
  await busy.close();
  t.ok(Date.now() - closingAt < 15_000);
  t.match(await open, { statusCode: 503 });
});

t.test('a response that is too long is a 503', async (t) => {
  const { url } = await respondWith(200, { success: true, data: 'x'.repeat(1_000) })(t);
  const [enough, less] = [1_100, 1_000].map((maxResponseBytes) => createServiceClient(url, { maxResponseBytes }));
  t.teardown(() => Promise.all([enough?.close(), less?.close()]));
  t.equal(String(await enough?.request(Type.String(), context, { path: '/' })).length, 1_000);
  t.match(await failureOf(less?.request(Type.String(), context, { path: '/' }) ?? Promise.resolve()), {
    code: 'SERVICE_UNAVAILABLE',
    statusCode: 503,
  });
});

t.test('a refused service token is a 503, and a refused passport a 401', async (t) => {
  const { url } = await respondWith(401, { success: false, code: 'UNAUTHORIZED', error: 'Invalid or expired token' })(
    t,
  );
  const { request, transfer } = client(t, url);
  const path = '/internal/a';
  const withToken = { ...context, serviceToken: 'signed' };
  for (const attempt of [request(Fact, withToken, { path }), transfer(withToken, { path })])
    t.match(await failureOf(attempt), { statusCode: 503, cause: { message: /SERVICE_SECRET/ } });
  for (const attempt of [request(Fact, context, { path }), transfer(context, { path })])
    t.match(await failureOf(attempt), { statusCode: 401 });
});

t.test('a service that has not responded to five requests gets one a second until it responds', async (t) => {
  let isSilent = true;
  let requests = 0;
  const { url } = await startHttp(t, (_request, response) => {
    requests += 1;
    if (!isSilent) response.end(JSON.stringify({ success: true, data: fact }));
  });
  const { request } = client(t, url);
  const send = () => request(Fact, context, { path: '/x' });
  await Promise.all(Array.from({ length: 5 }, () => failureOf(send())));
  const before = requests;
  const failures = await Promise.all(Array.from({ length: 50 }, () => failureOf(send())));
  for (const failure of failures) t.match(failure, { statusCode: 503 });
  t.ok(requests - before <= 3, `${requests - before} of 50`);
  isSilent = false;
  t.same(await waitFor(() => send().catch(() => undefined), { until: 'a response' }), fact);
  t.same(await send(), fact);
});
