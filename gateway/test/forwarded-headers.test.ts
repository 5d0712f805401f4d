import { createServer } from '@lms/service/create-server';
import { pageResponse } from '@lms/service/page-response';
import { testPrincipal } from '@lms/testing/principals';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { sendRaw, statusesOf } from './send-raw.ts';
import { shareGateway, startGateway } from './start-gateway.ts';

const sharedGateway = await shareGateway(t, { environment: { PUBLIC_URL: 'https://learn.example' } });

const video = '/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video';
const webhook = '/api/webhooks/identity';

t.test('Content-Type is not forwarded without a body, except for multipart and CSV', async (t) => {
  const { send, upstream, authHeaders } = sharedGateway();
  const path = '/api/enrollment/tz4a98xxat96iws9zmbrgj3a/cancel';
  const token = await authHeaders();
  const typeOf = async (type: string, body: string) => {
    await send(path, { method: 'POST', headers: { ...token, 'content-type': type }, body });
    return upstream.lastRequest()?.headers['content-type'];
  };
  const form = 'application/x-www-form-urlencoded';
  t.equal(await typeOf(form, ''), undefined);
  t.equal(await typeOf('text/plain; charset=utf-8', ''), undefined);
  t.equal(await typeOf('multipart/form-data; boundary=x', ''), 'multipart/form-data; boundary=x');
  t.equal(await typeOf('text/csv', ''), 'text/csv', 'an empty file');
  t.equal(await typeOf(form, 'a=b'), form, 'with a body the service checks it');
});

t.test('forged internal headers and hop-by-hop headers of a client are not forwarded', async (t) => {
  const { send, upstream, port } = sharedGateway();
  const forged = [
    'x-lms-identity',
    'x-lms-anything',
    'X_LMS_Identity',
    'x-user-id',
    'X-User-Roles',
    'x_user_id',
    'x-forwarded-user',
    'x-forwarded-prefix',
    'forwarded',
    'via',
    'x-real-ip',
    'X_Real_IP',
    'x-http-method-override',
    'x-original-url',
    'x-rewrite-url',
    'proxy-authorization',
    'te',
  ];
  const headers = {
    ...Object.fromEntries(forged.map((name) => [name, 'forged'])),
    'x-forwarded-for': '203.0.113.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-custom': 'custom',
    'if-match': '"tag"',
    'accept-language': 'de',
    'idempotency-key': 'key',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
  await send(video, { headers });
  const arrived = upstream.lastRequest()?.headers ?? {};
  for (const name of forged) t.equal(arrived[name.toLowerCase()], undefined, name);
  t.match(arrived, {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': 'learn.example',
    'x-forwarded-proto': 'https',
    host: new URL(upstream.url).host,
    'x-custom': 'custom',
    'if-match': '"tag"',
    'accept-language': 'de',
    'idempotency-key': 'key',
    traceparent: headers.traceparent,
  });

  const bytes = `GET ${video} HTTP/1.1\r\nHost: x\r\nConnection: close, X-Named, Content-Length\r\nX-Named: x\r\n\r\n`;
  t.match(await sendRaw(port, bytes), /^HTTP\/1\.1 200/);
  t.equal(upstream.lastRequest()?.headers['x-named'], undefined, 'a header that Connection names');
});

t.test('hop-by-hop, server and internal headers of a response are not forwarded', async (t) => {
  const { send, upstream } = sharedGateway();
  upstream.respondWith((_incoming, outgoing) => {
    outgoing.writeHead(201, {
      connection: 'keep-alive, X-Named',
      'keep-alive': 'timeout=99',
      'x-named': 'x',
      server: 'secret/1',
      'x-powered-by': 'secret',
      'x-lms-identity': 'passport',
      'x-ratelimit-limit': '1',
      'x-request-id': 'of-the-service',
      'access-control-allow-origin': '*',
      'content-security-policy': 'sandbox',
      'cache-control': 'private, no-store',
      'x-custom': ['one', 'two'],
      'content-length': '2',
    });
    outgoing.end('ok');
  });
  const { status, headers, bytes } = await send(webhook, {
    method: 'POST',
    headers: { 'x-request-id': 'of-the-client' },
  });
  t.equal(status, 201);
  t.equal(bytes.toString(), 'ok');
  for (const name of ['server', 'x-powered-by', 'x-lms-identity', 'x-named', 'access-control-allow-origin'])
    t.equal(headers[name], undefined, name);
  t.match(headers, {
    'x-request-id': 'of-the-client',
    'x-ratelimit-limit': '1000000',
    'content-security-policy': 'sandbox',
    'cache-control': 'private, no-store',
    'x-custom': ['one', 'two'],
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  t.notMatch(headers['keep-alive'], /99/);
});

t.test('every response has a request id: the one of the client if it is valid', async (t) => {
  const { send, upstream } = sharedGateway();
  const ids: [string, boolean][] = [
    ['abcdefgh', true],
    ['A-b_c-012345', true],
    ['x'.repeat(64), true],
    ['short', false],
    ['x'.repeat(65), false],
    ['with space', false],
    ['a"b<c>defgh', false],
  ];
  for (const [id, isGood] of ids) {
    const { headers } = await send(video, {
      headers: { 'x-request-id': id },
    });
    t.equal(headers['x-request-id'] === id, isGood, id.slice(0, 20));
    t.equal(upstream.lastRequest()?.headers['x-request-id'], headers['x-request-id']);
  }
});

/** Starts a service with two lists, one of them public, and a gateway before it. */
async function startLists(t: Test) {
  const service = createServer({ logger: pino({ level: 'silent' }) });
  for (const path of ['/api/admin/education/levels', '/api/education/levels'])
    service.get(path, (request, reply) =>
      pageResponse(request, reply, { page: 2, limit: 1 }, { items: [1], total: 9 }),
    );
  service.post('/api/admin/education/levels', async () => ({ success: true }));
  await service.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => service.close());
  return shareGateway(t, {
    environment: { CONTENT_URL: service.listeningOrigin, CORS_ORIGINS: origin, PUBLIC_URL: 'https://lms.example/' },
  });
}
const origin = 'https://app.example';
const gatewayWithLists = await startLists(t);

t.test(
  'headers of a GET that describe a body are ignored, and a doubled Content-Type of a POST is a 415',
  async (t) => {
    const { port, authHeaders } = gatewayWithLists();
    const { authorization } = await authHeaders(testPrincipal(['ADMIN']));
    for (const path of ['/api/admin/education/levels', '/api/education/levels'])
      for (const headers of [
        'Content-Type: text/plain\r\nContent-Length: 0\r\n',
        'Content-Type: multipart/form-data\r\nContent-Encoding: gzip\r\n',
        'Content-Encoding: identity\r\nContent-Language: en\r\nContent-Length: 0\r\n',
      ])
        for (const method of ['GET', 'HEAD']) {
          const text = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n${headers}\r\n`;
          t.match(await sendRaw(port, text), /^HTTP\/1\.1 200 /, `${method} ${path} ${headers}`);
        }
    const json = 'Content-Type: application/json; charset=utf-8\r\n';
    for (const [headers, status] of [
      [json, 200],
      [json + json, 415],
      [`${json}Content-Type: text/plain\r\n`, 415],
    ] as const) {
      const text = `POST /api/admin/education/levels HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n${headers}Content-Length: 2\r\n\r\n{}`;
      t.same(statusesOf(await sendRaw(port, text)), [status], headers);
    }
  },
);

t.test('addresses begin with the path of PUBLIC_URL, which a proxy has removed', async (t) => {
  const location = '/api/s3/document/uploads/1';
  const headersOfService = { location, link: '</api/a?page=2>; rel="next", </api/a?page=9>; rel="last"' };
  const gateways = [
    { prefix: '', gateway: sharedGateway() },
    // Its PUBLIC_URL ends with a slash.
    { prefix: '', gateway: gatewayWithLists() },
    { prefix: '/lms', gateway: await startGateway(t, { environment: { PUBLIC_URL: 'https://school.example/lms' } }) },
  ];
  for (const { prefix, gateway } of gateways) {
    const { send, authHeaders, upstream } = gateway;
    upstream.respondWith((_request, response) => response.writeHead(201, headersOfService).end());
    const headers = await authHeaders(testPrincipal(['MENTOR']));
    t.match((await send('/api/s3/document/uploads', { method: 'POST', headers })).headers, {
      location: `${prefix}${location}`,
      link: `<${prefix}/api/a?page=2>; rel="next", <${prefix}/api/a?page=9>; rel="last"`,
    });
    t.match((await send('/')).headers, { location: `${prefix}/api/docs` });
    t.match((await send('/api/openapi.json')).json, { servers: [{ url: prefix || '/' }] });
  }
});

t.test('the headers of a page stay within 8 KiB, with links that repeat a long URL', async (t) => {
  const { port, authHeaders } = gatewayWithLists();
  const { authorization } = await authHeaders(testPrincipal(['ADMIN']));
  const get = async (path: string, bytes: number, headers = '') => {
    const target = `${path}?page=2&limit=1&filter=`;
    const url = target + 'x'.repeat(bytes - target.length);
    const text = await sendRaw(port, `GET ${url} HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n${headers}\r\n`);
    const head = text.slice(0, text.indexOf('\r\n\r\n') + 4);
    t.match(head, /^HTTP\/1\.1 200 /, `${bytes} bytes`);
    t.ok(head.length <= 8_192, `${head.length} bytes of headers`);
    return [...head.matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);
  };
  for (const bytes of [100, 1_400, 1_500, 2_000, 3_000, 6_000, 6_150, 8_192]) {
    await get('/api/admin/education/levels', bytes, `Authorization: ${authorization}\r\n`);
    const links = await get('/api/education/levels', bytes);
    if (bytes <= 1_400) t.same(links, ['first', 'prev', 'next', 'last']);
    if (bytes === 3_000) t.same(links, ['prev', 'next']);
    if (bytes === 8_192) t.same(links, []);
  }
});
