import { once } from 'node:events';
import { type RequestOptions, type ServerResponse, request as sendRequest } from 'node:http';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { sendRaw, statusesOf } from './send-raw.ts';
import { shareGateway } from './start-gateway.ts';
import type { Handler } from './start-upstream.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const enrollment = '/api/enrollment';
const content = '/api/admin/education/levels';
const media = '/api/s3/document/stream?key=k';
const note = `/api/learning/notes/${id}`;
const video = `/api/admin/education/topics/${id}/video`;

/** More than the consecutive failures that open a circuit breaker. */
const repetitions = 8;

const sharedGateway = await shareGateway(t);

/** The shared gateway, whose circuit breakers are closed, with a check that a service is still reachable for other clients. */
async function start(t: Test) {
  const gateway = sharedGateway();
  const headers = await gateway.authHeaders(testPrincipal(['ADMIN', 'MENTOR']));

  /** Repeats what a client does, while the service responds in the given way. */
  async function repeat(client: () => Promise<unknown>, respond?: Handler) {
    gateway.upstream.respondWith(respond);
    for (let times = 0; times < repetitions; times += 1) await client();
    gateway.upstream.respondWith(undefined);
  }

  async function serviceIsReachable(path: string, cause: string) {
    const responses = await Promise.all(Array.from({ length: 28 }, () => gateway.send(path, { headers })));
    t.same(new Set(responses.map(({ status }) => status)), new Set([200]), cause);
  }

  /** Begins a request and aborts it once the service has received it. */
  async function disconnect(path: string, options: RequestOptions, write?: string) {
    const { server } = gateway.upstream;
    const arrived = once(server, 'request');
    const request = sendRequest(gateway.url + path, { headers, ...options }).on('error', () => undefined);
    if (write === undefined) request.end();
    else request.write(write);
    const [incoming] = await arrived;
    request.destroy();
    await waitFor(() => incoming.destroyed, { until: 'the upstream request to be aborted' });
  }

  return { ...gateway, headers, repeat, serviceIsReachable, disconnect };
}

t.test('a long URL, and response headers that are too long, do not open the circuit breaker', async (t) => {
  const { send, headers, repeat, serviceIsReachable } = await start(t);
  const echo: Handler = ({ url = '' }, outgoing) => {
    outgoing.writeHead(200, { link: Array(20).fill(`<${url}>`).join(', ') }).end('{}');
  };
  const query = (bytes: number) => `filter=${'x'.repeat(bytes)}`;
  await repeat(async () => t.equal((await send(`${enrollment}?${query(11_000)}`, { headers })).status, 414), echo);
  await serviceIsReachable(enrollment, 'a URL over 8 KiB');
  const overflow = async (path: string) => {
    const response = await send(path, { headers: path.startsWith('/api/education') ? {} : headers });
    t.ok(response.status >= 500, `${response.status}`);
    t.match(response.json, { success: false, code: String, requestId: response.headers['x-request-id'] });
  };
  await repeat(() => overflow(`${enrollment}?${query(4_000)}`), echo);
  await serviceIsReachable(enrollment, 'headers that overflow');
  for (const bytes of [1_000, 4_000]) {
    await repeat(() => overflow(`/api/education/levels?${query(bytes)}`), echo);
    await serviceIsReachable(content, `headers of a public read that overflow, ${bytes} bytes`);
  }
});

t.test('a slow trial request does not keep the circuit breaker open', async (t) => {
  const { send, headers, upstream } = await start(t);
  upstream.respondWith((incoming) => incoming.socket.destroy());
  for (let times = 0; times < repetitions; times += 1) await send(content, { headers });
  const imports: ServerResponse[] = [];
  upstream.respondWith(({ method }, outgoing) => {
    if (method === 'GET') outgoing.end('{}');
    else imports.push(outgoing);
  });
  const importFile = () =>
    send('/api/admin/education/imports', { method: 'POST', headers, body: '{}' }).catch(() => undefined);
  await waitFor(
    () => {
      if (imports.length === 0) void importFile();
      return imports.length > 0;
    },
    { until: 'the service to receive an import' },
  );
  await waitFor(async () => (await send(content, { headers })).status === 200, {
    timeoutMs: 20_000,
    until: 'another request to reach the service',
  });
  for (const outgoing of imports) outgoing.end('{}');
});

t.test('clients that disconnect do not open the circuit breaker', async (t) => {
  const { repeat, disconnect, serviceIsReachable } = await start(t);
  const silent: Handler = (incoming) => incoming.on('error', () => undefined).resume();
  await repeat(() => disconnect(enrollment, {}), silent);
  await serviceIsReachable(enrollment, 'while they wait for headers');
  await repeat(() => disconnect(video, { method: 'PUT' }, 'some'), silent);
  await serviceIsReachable(media, 'in the middle of an upload');
});

t.test('rejected bodies do not open the circuit breaker', async (t) => {
  const { send, url, port, headers, repeat, serviceIsReachable } = await start(t);
  const kilobytes = (count: number) => Buffer.alloc(count * 1_024, 'x');
  await repeat(async () => t.equal((await send(note, { method: 'PUT', headers, body: kilobytes(300) })).status, 413));
  await serviceIsReachable(enrollment, 'a body that is too long');

  const put = `PUT ${note} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n`;
  const broken = `${put}Transfer-Encoding: chunked\r\n\r\n5\r\n{"con\r\nzz\r\n`;
  await repeat(async () => t.same(statusesOf(await sendRaw(port, broken)), [400]));
  await serviceIsReachable(enrollment, 'a body with invalid chunks');

  // As a service does when a sender is too slow.
  const resetConnection: Handler = (incoming) => incoming.once('data', () => incoming.socket.resetAndDestroy());
  await repeat(async () => {
    const upload = sendRequest(url + video, { method: 'PUT', headers }).on('error', () => undefined);
    upload.write(kilobytes(64));
    const [response] = await once(upload, 'response');
    t.ok(response.statusCode >= 400, `${response.statusCode}`);
    response.resume();
    upload.destroy();
  }, resetConnection);
  await serviceIsReachable(media, 'an upload whose connection the service resets');
});

t.test('hop-by-hop headers do not open the circuit breaker', async (t) => {
  const { port, headers, repeat, serviceIsReachable } = await start(t);
  for (const odd of [
    'Connection: close, X-Own\r\nX-Own: a',
    'Connection: close\r\nKeep-Alive: timeout=5',
    'Connection: close\r\nTE: trailers\r\nProxy-Connection: keep-alive',
    'Connection: close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA',
    'Connection: close\r\nContent-Length: 0\r\nContent-Type: x\r\nContent-Type: y',
    'Connection: close\r\nX-Bytes: \xe9\xff',
  ]) {
    const text = `GET ${enrollment} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n${odd}\r\n\r\n`;
    await repeat(async () => t.same(statusesOf(await sendRaw(port, Buffer.from(text, 'latin1'))), [200], odd));
    await serviceIsReachable(enrollment, odd);
  }
});
