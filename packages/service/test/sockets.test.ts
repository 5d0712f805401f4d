import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { startServer } from './build-server.ts';

/** Sends raw bytes and returns everything received until the server closes the connection. */
async function sendRaw(t: Test, port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  // The server may reset the connection after its response.
  socket.on('error', () => undefined).write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return response;
}

const post = (headers: string) =>
  `POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n`;

t.test('a client that disconnects while sending the body is not an error', async (t) => {
  const { port, lines, app } = await startServer(t);
  let [sent, seen, closed] = [0, 0, 0];
  app.server.on('request', (_request: unknown, response: ServerResponse) => {
    seen += 1;
    response.once('close', () => {
      closed += 1;
    });
  });
  for (const headers of ['Content-Length: 1000\r\n', 'Transfer-Encoding: chunked\r\n']) {
    for (const disconnect of ['end', 'resetAndDestroy'] as const) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`${post(headers)}${headers.startsWith('T') ? '5\r\n{"nam\r\n' : '{"nam'}`);
      sent += 1;
      await waitFor(() => seen === sent, { until: 'the request' });
      socket[disconnect]();
      socket.resume();
    }
  }
  await waitFor(() => closed === sent, { until: 'the end of the requests' });
  await app.close();
  t.same(
    lines.filter(({ level }) => level >= 40),
    [],
  );
});

t.test('malformed HTTP gets an error envelope, and the connection is closed', async (t) => {
  const { port, lines } = await startServer(t);
  const cases = [
    ['GARBAGE\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['GET /things HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [`GET /things HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [`GET /things?${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'URI_TOO_LONG'],
    [`GET /things?${'y'.repeat(8_200)} HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 414, 'URI_TOO_LONG'],
    [`${post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`, 400, 'VALIDATION_ERROR'],
    ['BREW /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ] as const;
  for (const [text, status, code] of cases) {
    const response = await sendRaw(t, port, text);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    t.match(head, new RegExp(`^HTTP/1.1 ${status} `), text.slice(0, 40));
    t.match(head, /Content-Type: application\/json; charset=utf-8/);
    const { requestId, ...rest } = JSON.parse(body);
    t.match(rest, { success: false, error: String, code });
    if (status === 400)
      t.match(rest, { error: 'Validation failed', details: { field: 'request', message: String, value: null } });
    if (status === 405) t.match(head, /Allow: GET/);
    t.match(head.toLowerCase(), `x-request-id: ${requestId}`);
  }
  t.same(
    lines.filter(({ level }) => level >= 50),
    [],
  );
});

t.test('a body with a too large Content-Length is refused before it is sent', async (t) => {
  const { port } = await startServer(t);
  const response = await sendRaw(t, port, post('Content-Length: 999999999\r\nConnection: close\r\n'));
  t.match(response, /^HTTP\/1.1 413 /);
  t.match(response, /"code":"PAYLOAD_TOO_LARGE"/);
});

t.test('a chunked body is refused as soon as it is too large', async (t) => {
  const { port } = await startServer(t);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const response = await sendRaw(t, port, `${post('Transfer-Encoding: chunked\r\n')}${chunk.repeat(20)}`);
  t.match(response, /^HTTP\/1.1 413 /);
});

t.test('a body sent with GET is ignored', async (t) => {
  const { port } = await startServer(t);
  const text =
    'GET /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\nConnection: close\r\n\r\n{';
  t.match(await sendRaw(t, port, text), /^HTTP\/1.1 200 /);
});

t.test('a request id sent twice is replaced', async (t) => {
  const { port } = await startServer(t);
  const text =
    'GET /things HTTP/1.1\r\nHost: x\r\nX-Request-Id: aaaaaaaa\r\nX-Request-Id: bbbbbbbb\r\nConnection: close\r\n\r\n';
  t.match(await sendRaw(t, port, text), /x-request-id: [\w-]{36}\r\n/);
});
