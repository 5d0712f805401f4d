import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { Timestamp } from '@lms/contracts/text';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { Type } from '@sinclair/typebox';
import t, { type Test } from 'tap';
import { createServer } from '../src/create-server.ts';
import { defineProblem } from '../src/problems.ts';
import { callContextOf, createServiceClient } from '../src/service-client.ts';
import { recordingLogger } from './build-server.ts';

const Fact = Type.Object({ id: Type.String(), at: Timestamp() });
const fact = { id: 'a', at: '2026-01-31T12:00:00.000Z' };
const behalf = { requestId: 'request-0001' };

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

function neighbour(t: Test, url: string) {
  const made = createServiceClient(url);
  t.teardown(() => made.close());
  return made;
}

const failureOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'no failure',
    (error) => error,
  );

const answering = (status: number, body: unknown) => (t: Test) =>
  startHttp(t, (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body)),
  );

t.test('a neighbour is asked on behalf of the caller, in the same request', async (t) => {
  const heard: unknown[] = [];
  const { url } = await startHttp(t, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { 'x-lms-identity': passport, 'x-request-id': requestId, 'content-type': type } = request.headers;
      heard.push([request.method, request.url, passport, requestId, type, body]);
      response.end(JSON.stringify({ success: true, data: fact }));
    });
  });
  const { request: ask } = neighbour(t, url);
  t.same(await ask(Fact, { ...behalf, passport: 'signed' }, { path: '/internal/a?b=c' }), fact);
  await ask(Fact, behalf, { method: 'POST', path: '/internal/b', body: { n: 1 } });
  await ask(Fact, behalf, { method: 'DELETE', path: '/internal/c' });
  t.same(heard, [
    ['GET', '/internal/a?b=c', 'signed', 'request-0001', undefined, ''],
    ['POST', '/internal/b', undefined, 'request-0001', 'application/json', '{"n":1}'],
    ['DELETE', '/internal/c', undefined, 'request-0001', undefined, ''],
  ]);
});

t.test("the caller's passport and request id travel on through a server of ours", async (t) => {
  const { logger } = recordingLogger();
  const heard: unknown[] = [];
  const { url } = await startHttp(t, (request, response) => {
    heard.push([request.headers['x-lms-identity'], request.headers['x-request-id']]);
    response.end(JSON.stringify({ success: true, data: fact }));
  });
  const { request: ask } = neighbour(t, url);
  const app = createServer({ logger });
  app.get('/fact', async (request) => ({
    success: true,
    data: await ask(Fact, callContextOf(request), { path: '/x' }),
  }));
  t.teardown(() => app.close());
  await app.inject({ url: '/fact', headers: { 'x-lms-identity': 'signed', 'x-request-id': 'request-0002' } });
  await app.inject({ url: '/fact', headers: { 'x-request-id': 'request-0003' } });
  t.same(heard, [
    ['signed', 'request-0002'],
    [undefined, 'request-0003'],
  ]);
});

t.test("a neighbour's refusal is passed on with its code, text and details", async (t) => {
  const { logger } = recordingLogger();
  const Enrolled = defineProblem('ENROLLMENT_REQUIRED', 403, 'Only 100 % of %s may %d');
  const there = createServer({ logger });
  there.get('/refuse', () => Promise.reject(new Enrolled({ details: { subjectId: 'a' } })));
  await there.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => there.close());
  const { request: ask } = neighbour(t, there.listeningOrigin);

  await t.rejects(ask(Fact, behalf, { path: '/refuse' }), {
    statusCode: 403,
    code: 'ENROLLMENT_REQUIRED',
    message: 'Only 100 % of %s may %d',
    details: { subjectId: 'a' },
  });
  t.match(await failureOf(ask(Fact, behalf, { path: '/nowhere' })), { statusCode: 404, code: 'NOT_FOUND' });

  const here = createServer({ logger });
  here.get('/pass', async (request) => ask(Fact, callContextOf(request), { path: '/refuse' }));
  t.teardown(() => here.close());
  const answer = await here.inject('/pass');
  t.equal(answer.statusCode, 403);
  t.match(answer.json(), {
    error: 'Only 100 % of %s may %d',
    code: 'ENROLLMENT_REQUIRED',
    details: { subjectId: 'a' },
  });
});

t.test('a neighbour that is down, broken or nonsensical is a 503 that says when to come back', async (t) => {
  const broken = {
    'a 500': answering(500, { success: false, error: 'x', code: 'INTERNAL_ERROR', requestId: 'r' }),
    'a 503': answering(503, { success: false, error: 'x', code: 'SERVICE_UNAVAILABLE', requestId: 'r' }),
    'a redirect': answering(302, ''),
    'no JSON': answering(200, 'hello'),
    nothing: answering(200, ''),
    'half of it': answering(200, '{"success":true,"da'),
    'another shape': answering(200, { success: true, data: { id: 1 } }),
    'no instant': answering(200, { success: true, data: { ...fact, at: 'soon' } }),
    'no envelope': answering(200, fact),
    'a refusal that is none of ours': answering(404, '<html>nginx</html>'),
    'a refusal without a code': answering(400, { message: 'Bad Request' }),
    'a hang-up': (t: Test) => startHttp(t, (request) => request.socket.destroy()),
  };
  for (const [what, start] of Object.entries(broken)) {
    const { url } = await start(t);
    const failure = neighbour(t, url).request(Fact, behalf, { path: '/x' });
    t.match(await failureOf(failure), { statusCode: 503, headers: { 'retry-after': /^\d+$/ } }, what);
  }
  const down = neighbour(t, `http://127.0.0.1:${await freePort()}`);
  t.match(await failureOf(down.request(Fact, behalf, { path: '/x' })), { statusCode: 503 }, 'nobody there');
  const unknown = neighbour(t, 'http://nowhere.invalid:80');
  t.match(await failureOf(unknown.request(Fact, behalf, { path: '/x' })), { statusCode: 503 }, 'no such host');
});

t.test('a neighbour has two seconds, for its headers and its body together', async (t) => {
  const silent = await startHttp(t, () => undefined);
  const trickling = await startHttp(t, (_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(drip));
  });
  const hole = createTcpServer(() => undefined).listen(0, '127.0.0.1');
  await once(hole, 'listening');
  t.teardown(() => void hole.close());
  const address = hole.address();
  const swallowing = { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}` };
  const startedAt = Date.now();
  await Promise.all(
    [silent, trickling, swallowing].map(async ({ url }) =>
      t.match(await failureOf(neighbour(t, url).request(Fact, behalf, { path: '/x' })), { statusCode: 503 }),
    ),
  );
  const tookMs = Date.now() - startedAt;
  t.ok(tookMs > 1_500 && tookMs < 15_000, `${tookMs} ms`);
});

t.test('connections are kept, and made anew when the neighbour restarts', async (t) => {
  let connections = 0;
  const sockets = new Set<Socket>();
  const { server, url } = await startHttp(t, (_request, response) =>
    response.end(JSON.stringify({ success: true, data: fact })),
  );
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  const { request: ask } = neighbour(t, url);
  for (let n = 0; n < 20; n += 1) await ask(Fact, behalf, { path: '/x' });
  t.ok(connections <= 2, `${connections}`);
  for (const socket of sockets) socket.destroy();
  await Promise.all([...sockets].map((socket) => socket.closed || once(socket, 'close')));
  t.same(await ask(Fact, behalf, { path: '/x' }).catch(() => ask(Fact, behalf, { path: '/x' })), fact);
  t.ok(connections <= 4, `${connections}`);
});

t.test('many questions at once are answered over a few connections', async (t) => {
  let connections = 0;
  const { server, url } = await startHttp(t, (_request, response) =>
    response.end(JSON.stringify({ success: true, data: fact })),
  );
  server.on('connection', () => {
    connections += 1;
  });
  const { request: ask } = neighbour(t, url);
  await Promise.all(Array.from({ length: 300 }, () => ask(Fact, behalf, { path: '/x' })));
  t.ok(connections <= 64, `${connections}`);
});

t.test('closing lets go of the connections, also while a question is open', async (t) => {
  const { server, url } = await startHttp(t, (request, response) => {
    if (request.url === '/x') response.end(JSON.stringify({ success: true, data: fact }));
  });
  const idle = createServiceClient(url);
  await idle.request(Fact, behalf, { path: '/x' });
  await idle.close();
  await waitFor(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count === 0))));
  const busy = createServiceClient(url);
  const open = failureOf(busy.request(Fact, behalf, { path: '/never' }));
  const closingAt = Date.now();
  await busy.close();
  t.ok(Date.now() - closingAt < 15_000);
  t.match(await open, { statusCode: 503 });
});
