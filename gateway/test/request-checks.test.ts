import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { sendRaw, statusesOf } from './send-raw.ts';
import { shareGateway } from './start-gateway.ts';

const sharedGateway = await shareGateway(t);

const levels = '/api/education/levels';

/** A request with this target and these headers, after which the connection is closed. */
const request = (target: string, headers = 'Host: x\r\n', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;

t.test('ambiguous paths return 400', async (t) => {
  const { port, upstream } = sharedGateway();
  const paths = [
    '/api/education/levels%00',
    '/api/education/%00levels',
    '/api/../internal/principals',
    '/api/education/..',
    '/api/education/../users',
    '/api/education/%2e%2e/users',
    '/api/education/%2E./users',
    '/api/education/.%2e/users',
    '/api/education/levels..',
    '/api/users/.',
    '/api/users/%2e',
    '/api/learning/topics/./progress',
    '/api//education/levels',
    '//api/education/levels',
    '/api/education/levels//',
    '/api\\education\\levels',
    '/api/education%5clevels',
    '/api/education%5Clevels',
    '/api%2feducation/levels',
    '/api/education%2Flevels',
    '/%2fapi/education/levels',
    '/api/education/levels%',
    '/api/education/levels%zz',
    '/api/education/levels%2',
    '/api/education/%ff',
    '/api/education/%c0%af',
    '/api/education/levels#fragment',
    '/api/education/l\u00e9vels',
    'http://evil.example/api/education/levels',
    'api/education/levels',
    '*',
  ];
  for (const path of paths) {
    const text = await sendRaw(port, Buffer.from(request(path), 'latin1'));
    t.same(statusesOf(text), [400], path);
    const { error, code, details } = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
    t.match(
      { error, code, details },
      { error: 'Validation failed', code: 'VALIDATION_ERROR', details: { field: 'path', message: String } },
      path,
    );
    t.ok('value' in details);
    t.match(text, /"requestId":"[\w-]+"/);
    if (path.includes('%')) t.match(text, /\r\nx-content-type-options: nosniff\r\n/i, path);
  }
  t.equal(upstream.requests.length, 0, 'none of them reaches a service');
});

t.test('unusual characters in a query are forwarded unchanged', async (t) => {
  const { port, upstream } = sharedGateway();
  const queries = ['?q=..', '?q=%00', '?q=a//b', '?next=http://x/%2f', '?a[]=1&a[]=2', '?', '?q=%zz', '?q=a\\b'];
  for (const query of queries) {
    t.same(statusesOf(await sendRaw(port, request(`/api/education/search${query}`))), [200], query);
    t.equal(upstream.lastRequest()?.url, `/api/education/search${query}`);
  }
});

t.test('requests with ambiguous framing are rejected, and their connection is closed', async (t) => {
  const { port, upstream } = sharedGateway();
  const hidden = 'GET /api/users HTTP/1.1\r\nHost: x\r\n\r\n';
  const post = (headers: string, body: string, version = '1.1') =>
    `POST /api/webhooks/identity HTTP/${version}\r\nHost: x\r\n${headers}\r\n${body}`;
  const cases: [string, string][] = [
    ['both lengths', post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`)],
    [
      'both lengths in the other order',
      post('Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', `0\r\n\r\n${hidden}`),
    ],
    ['two lengths', post('Content-Length: 0\r\nContent-Length: 44\r\n', hidden)],
    ['two lengths in one', post('Content-Length: 0, 44\r\n', hidden)],
    ['a length with a sign', post('Content-Length: +0\r\n', hidden)],
    ['a negative length', post('Content-Length: -1\r\n', hidden)],
    ['a length in hexadecimal', post('Content-Length: 0x0\r\n', hidden)],
    ['a length with a space in it', post('Content-Length: 1 0\r\n', hidden)],
    ['a space before the colon', post('Content-Length : 44\r\n', hidden)],
    ['a space before the colon of the encoding', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${hidden}`)],
    ['an encoding that is almost chunked', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${hidden}`)],
    ['an encoding after chunked', post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${hidden}`)],
    ['an encoding before chunked', post('Transfer-Encoding: gzip, chunked\r\n', `0\r\n\r\n${hidden}`)],
    ['two encodings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${hidden}`)],
    ['chunked in HTTP/1.0', post('Transfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`, '1.0')],
    ['an invalid chunk length', post('Transfer-Encoding: chunked\r\n', `zz\r\n\r\n${hidden}`)],
    [
      'a folded header',
      post('Content-Length: 0\r\nX-A: b\r\n c\r\nTransfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${hidden}`),
    ],
    ['a bare carriage return', post('X-A: b\rTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`)],
    ['NUL in a header', post('X-A: b\0c\r\n', hidden)],
    ['no host', `GET ${levels} HTTP/1.1\r\n\r\n${hidden}`],
    ['two hosts', `GET ${levels} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`],
    ['a host with a path', `GET ${levels} HTTP/1.1\r\nHost: x/y\r\n\r\n`],
    ['a host with a user', `GET ${levels} HTTP/1.1\r\nHost: a@x\r\n\r\n`],
    ['two hosts in one', `GET ${levels} HTTP/1.1\r\nHost: x y\r\n\r\n`],
    ['another protocol', `GET ${levels} HTTP/9.9\r\nHost: x\r\n\r\n${hidden}`],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a space before the name', `GET ${levels} HTTP/1.1\r\n Host: x\r\n\r\n`],
    ['no version', `GET ${levels}\r\nHost: x\r\n\r\n`],
  ];
  for (const [name, bytes] of cases) {
    const before = upstream.requests.length;
    const text = await sendRaw(port, Buffer.from(bytes, 'latin1'));
    const statuses = statusesOf(text);
    t.ok(statuses[0] === 400 || statuses[0] === 405, `${name}: ${statuses}`);
    if (statuses[0] === 400)
      t.match(text, /"error":"Validation failed",.*"details":\{"field":"[\w-]+","message":"/, name);
    t.notOk(statuses.includes(401), `${name}: the smuggled request is not handled`);
    t.ok(upstream.requests.length === before, `${name}: no service receives it`);
  }
});

t.test('a body that looks like a request is forwarded as a body', async (t) => {
  const { port, upstream } = sharedGateway();
  const hidden = 'DELETE /api/users/x HTTP/1.1\r\nHost: x\r\n\r\n';
  const bytes = `POST /api/webhooks/identity HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
  t.same(statusesOf(await sendRaw(port, bytes)), [200]);
  t.equal(upstream.requests.length, 1);
  t.equal(upstream.lastRequest()?.body.toString(), hidden);
  const chunked = `POST /api/webhooks/identity HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)};ext=1\r\n${hidden}\r\n0\r\nX-Trailer: t\r\n\r\n`;
  t.same(statusesOf(await sendRaw(port, chunked)), [200]);
  t.equal(upstream.lastRequest()?.body.toString(), hidden);
  t.equal(upstream.lastRequest()?.headers['x-trailer'], undefined);
});

t.test('CONNECT returns 405, and Upgrade is ignored', async (t) => {
  const { port } = sharedGateway();
  const tunnel = await sendRaw(port, 'CONNECT internal:80 HTTP/1.1\r\nHost: internal:80\r\n\r\n');
  t.match(tunnel, /^HTTP\/1\.1 405/);
  t.match(tunnel, /"code":"METHOD_NOT_ALLOWED"/);
  t.match(tunnel, /Allow: GET/);
  const upgrade = `Host: x\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
  const response = await sendRaw(port, `GET ${levels} HTTP/1.1\r\n${upgrade}Connection: Upgrade\r\n\r\n`);
  t.match(response, /^HTTP\/1\.1 200/);
});

t.test('headers that are too long return 431', async (t) => {
  const { port } = sharedGateway();
  const text = await sendRaw(port, request(levels, `Host: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n`));
  t.same(statusesOf(text), [431]);
  t.match(text, /"code":"HEADERS_TOO_LARGE"/);
});

t.test('URLs over 8 KiB return 414 in the envelope and reach no service', async (t) => {
  const { port, upstream } = sharedGateway();
  const long = (start: string, bytes: number) => start + 'x'.repeat(bytes - start.length);
  for (const start of [`${levels}?filter=`, '/api/users/', '/api/nothing?', '/api/education/..', '/healthz?'])
    for (const bytes of [8_193, 15_000, 20_000, 60_000]) {
      const text = await sendRaw(port, request(long(start, bytes)));
      t.same(statusesOf(text), [414], `${bytes} bytes of ${start}`);
      const { requestId, ...failure } = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
      t.same(failure, { success: false, error: 'The URL is longer than 8 KiB', code: 'URI_TOO_LONG' });
      t.match(text.toLowerCase(), `x-request-id: ${requestId}`);
    }
  t.equal(upstream.requests.length, 0);
  t.same(statusesOf(await sendRaw(port, request(long(`${levels}?filter=`, 8_192)))), [200], '8 KiB are accepted');
});

t.test('ids are checked by their service, however long they are', async (t) => {
  const { send, upstream, authHeaders } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['ADMIN']));
  for (const id of ['1', 'x'.repeat(300), 'x'.repeat(8_000)]) {
    t.equal((await send(`/api/users/${id}`, { headers })).status, 200);
    t.equal(upstream.lastRequest()?.url, `/api/users/${id}`);
  }
  for (const path of ['/api/nothing', '/api/users/', '/nothing', '/api/docs/nothing'])
    t.match(
      await send(path, { headers }),
      { status: 404, json: { code: 'NOT_FOUND', error: 'Route not found' } },
      path,
    );
  const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"a":1}' };
  t.match(await send('/api/nothing', request), { status: 404, json: { error: 'Route not found' } }, 'with a body');
});
