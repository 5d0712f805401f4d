import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { listen } from '@lms/testing/listen';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type BodyLimits, limitBody } from '../src/plugins/request-bodies.ts';
import { sendRaw, statusesOf } from './send-raw.ts';
import { shareGateway } from './start-gateway.ts';
import { sendJson } from './start-upstream.ts';

const document = '/api/s3/document/upload';
const sharedGateway = await shareGateway(t);

const generous: BodyLimits = { maxBytes: 1_000, totalMs: 60_000, idleMs: 60_000 };

/** Starts an upload and returns its body as the gateway would forward it. */
async function startUpload(t: Test, limits: Partial<BodyLimits>) {
  let incoming: IncomingMessage | undefined;
  const server = createServer((arrived) => {
    incoming = arrived;
  });
  const url = await listen(t, server);
  const upload = request(url, { method: 'POST' }).on('error', () => undefined);
  upload.write('some');
  const arrived = await waitFor(() => incoming);
  return { upload, body: limitBody(arrived, { ...generous, ...limits }) };
}

const errorOf = (body: Readable) => new Promise<unknown>((resolve) => body.once('error', resolve));

t.test('a body that stalls returns 408', async (t) => {
  const { body } = await startUpload(t, { idleMs: 500 });
  body.resume();
  t.match(await errorOf(body), { statusCode: 408, code: 'REQUEST_TIMEOUT' });
});

t.test('a body that takes too long in total returns 408', async (t) => {
  const { body, upload } = await startUpload(t, { totalMs: 1_500, idleMs: 60_000 });
  const trickle = setInterval(() => upload.write('.'), 100);
  t.teardown(() => clearInterval(trickle));
  body.resume();
  t.match(await errorOf(body), { statusCode: 408 });
});

t.test('a body that the service does not read is not timed out', async (t) => {
  const { body, upload } = await startUpload(t, { idleMs: 1_000, maxBytes: Number.POSITIVE_INFINITY });
  upload.end(Buffer.alloc(512 * 1_024));
  let failure: unknown;
  body.once('error', (error) => {
    failure = error;
  });
  const startedAt = performance.now();
  await waitFor(() => performance.now() - startedAt > 3_500, { until: 'several times the idle timeout' });
  t.equal(failure, undefined);
  let read = 0;
  for await (const chunk of body) read += chunk.length;
  t.equal(read, 512 * 1_024 + 4);
});

t.test('a body whose sender disconnects fails, and one over its limit returns 413', async (t) => {
  const leaving = await startUpload(t, {});
  leaving.body.resume();
  leaving.upload.destroy();
  t.match(await errorOf(leaving.body), { name: 'ClientDisconnected' });
  const long = await startUpload(t, { maxBytes: 10 });
  long.body.resume();
  long.upload.write('more than ten bytes');
  t.match(await errorOf(long.body), { statusCode: 413, details: { maxBytes: 10 } });
});

t.test(
  'headers that take fifteen seconds, and a body that stalls for thirty, get a 408 that closes the connection',
  async (t) => {
    const { port, authHeaders } = sharedGateway();
    const { authorization } = await authHeaders();
    const body = `Authorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    await Promise.all(
      [
        ['GET /api/education/levels HTTP/1.1\r\nHost: x\r\n', 14_000],
        [`POST /api/enrollment/request HTTP/1.1\r\nHost: x\r\n${body}`, 29_000],
      ].map(async ([bytes, leastMs]) => {
        const startedAt = performance.now();
        const text = await sendRaw(port, String(bytes));
        const elapsedMs = performance.now() - startedAt;
        t.same(statusesOf(text), [408]);
        t.match(text, /"success":false/);
        t.match(text, /^connection: close/im);
        t.ok(elapsedMs > Number(leastMs) && elapsedMs < 60_000, `${Math.round(elapsedMs)} ms`);
      }),
    );
  },
);

t.test('bodies over their limit return 413, with and without Content-Length', async (t) => {
  const { send, url, authHeaders, upstream } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  const kilobytes = (count: number) => Buffer.alloc(count * 1_024, 'x');
  const users = '/api/users/tz4a98xxat96iws9zmbrgj3a';
  t.equal((await send(users, { method: 'PUT', headers, body: kilobytes(256) })).status, 200);
  t.match(await send(users, { method: 'PUT', headers, body: kilobytes(257) }), {
    status: 413,
    json: { code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: 256 * 1_024 } },
  });
  for (const [method, route] of [
    ['POST', '/api/admin/education/topics'],
    ['PUT', '/api/admin/education/topics/tz4a98xxat96iws9zmbrgj3a'],
  ] as const) {
    t.equal((await send(route, { method, headers, body: kilobytes(6 * 1_024) })).status, 200);
    t.equal((await send(route, { method, headers, body: kilobytes(6 * 1_024 + 1) })).status, 413);
  }
  t.equal((await send(document, { method: 'POST', headers, body: kilobytes(8 * 1_024) })).status, 200);

  const before = upstream.requests.length;
  const chunked = request(url + users, { method: 'PUT', headers }).on('error', () => undefined);
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
  const { upstream, url, authHeaders } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['MENTOR']));
  upstream.respondWith((_incoming, outgoing) => {
    sendJson(outgoing, 413, { success: false, code: 'PAYLOAD_TOO_LARGE' }, { connection: 'close' });
  });
  for (let times = 0; times < 5; times += 1) {
    const upload = request(url + document, { method: 'POST', headers }).on('error', () => undefined);
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

t.test('clients that send a body slowly leave connections to the service for others', async (t) => {
  const { url, upstream, send, authHeaders } = sharedGateway();
  const headers = await authHeaders();
  const sendSlowly = (options: object) =>
    Array.from({ length: 100 }, () => {
      const sent = request(`${url}/api/webhooks/identity`, { method: 'POST', ...options }).on('error', () => undefined);
      sent.write('slow');
      return { sent, responded: once(sent, 'response') };
    });
  const slow = [...sendSlowly({}), ...sendSlowly({ headers: { 'content-length': '10' } })];
  t.teardown(() => slow.forEach(({ sent }) => void sent.destroy()));
  await Promise.all(slow.map(({ sent }) => sent.socket ?? once(sent, 'socket')));
  t.equal((await send('/api/auth/profile', { headers })).status, 200);
  t.equal(upstream.requests.length, 1);

  for (const [index, one] of [slow.at(0), slow.at(-1)].entries()) {
    one?.sent.end(' ended');
    const [response] = (await one?.responded) ?? [];
    t.equal(response.statusCode, 200);
    response.resume();
    t.equal(String(upstream.requests[index + 1]?.body), 'slow ended');
  }
  for (const { responded } of slow) responded.catch(() => undefined);
});

t.test('Expect: 100-continue gets 100 only after all checks', async (t) => {
  const { port, upstream, authHeaders } = sharedGateway();
  const sendExpecting = (headers: string, version = '1.1', body = '') =>
    sendRaw(
      port,
      `POST ${document} HTTP/${version}\r\nHost: x\r\n${headers}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n${body}`,
    );
  const refused = await sendExpecting('');
  t.match(refused, /^HTTP\/1\.1 401/);
  t.match(refused, /connection: close/i);
  const { authorization } = await authHeaders(testPrincipal(['MENTOR']));
  t.match(await sendExpecting(`Authorization: ${authorization}\r\n`), /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  t.equal(upstream.requests.length, 0);
  const ignored = await sendExpecting(`Authorization: ${authorization}\r\n`, '1.0', 'bytes');
  t.match(ignored, /^HTTP\/1\.1 200/, 'HTTP/1.0 has no such response');
});
