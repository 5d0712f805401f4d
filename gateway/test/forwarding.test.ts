import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { sendRaw } from './send-raw.ts';
import { shareGateway } from './start-gateway.ts';
import { readAll, sendJson } from './start-upstream.ts';

const sharedGateway = await shareGateway(t);

const document = '/api/s3/document/upload';
const stream = '/api/s3/document/stream?key=k';
const video = '/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video';
const webhook = '/api/webhooks/identity';
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

t.test('bodies are forwarded byte for byte, with and without Content-Length', async (t) => {
  const { send, upstream, url } = sharedGateway();
  const bodies = [
    Buffer.from('{ "a" : 1.0,\r\n\t"b":"\\u00e9\u00e9",  "a":2}\n'),
    Buffer.from([0xff, 0xfe, 0x00, 0x01, 0x0a]),
    randomBytes(200_000),
    Buffer.alloc(0),
  ];
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json', 'x-webhook-signature': 't=1,v1=aa', 'svix-id': 'm' };
    await send(webhook, { method: 'POST', headers, body });
    t.equal(upstream.lastRequest()?.body.toString('hex'), body.toString('hex'));
    t.match(upstream.lastRequest()?.headers, { ...headers, 'content-length': String(body.length) });
  }
  const chunked = sendRequest(url + webhook, { method: 'POST' });
  chunked.write('one ');
  chunked.end('two');
  const [response] = await once(chunked, 'response');
  response.resume();
  t.equal(upstream.lastRequest()?.body.toString(), 'one two');
  // The length of a body that has arrived completely is known.
  const { 'transfer-encoding': encoding, 'content-length': length } = upstream.lastRequest()?.headers ?? {};
  t.ok(encoding === 'chunked' ? length === undefined : length === '7', `${encoding} ${length}`);
});

t.test('the body of a GET is not forwarded', async (t) => {
  const { port, upstream } = sharedGateway();
  const bytes = `GET ${video} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`;
  t.match(await sendRaw(port, bytes), /^HTTP\/1\.1 200/);
  t.match(upstream.lastRequest(), { method: 'GET', body: Buffer.alloc(0) });
  t.equal(upstream.lastRequest()?.headers['content-length'], undefined);
});

t.test('responses without a body keep their status and headers', async (t) => {
  const { send, upstream, authHeaders } = sharedGateway();
  const headers = await authHeaders();
  for (const status of [204, 304]) {
    upstream.respondWith((_incoming, outgoing) => outgoing.writeHead(status, { etag: '"e"' }).end());
    t.match(await send('/api/enrollment', { headers }), { status, headers: { etag: '"e"' } });
  }
  upstream.respondWith((_incoming, outgoing) => outgoing.writeHead(200, { 'content-length': '12345' }).end());
  const head = await send(stream, { method: 'HEAD', headers });
  t.match(head, { status: 200, headers: { 'content-length': '12345' } });
  upstream.respondWith((_incoming, outgoing) =>
    outgoing.writeHead(206, { 'content-range': 'bytes 0-1/9', 'content-length': '2' }).end('ab'),
  );
  t.match(await send(stream, { headers: { ...headers, range: 'bytes=0-1' } }), {
    status: 206,
    headers: { 'content-range': 'bytes 0-1/9' },
  });
});

t.test('request and response bodies are streamed at the same time', async (t) => {
  const { upstream, url, authHeaders } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['MENTOR']));
  const arrived: string[] = [];
  upstream.respondWith((incoming, outgoing) => {
    outgoing.writeHead(200);
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      arrived.push(chunk);
      outgoing.write(`got ${chunk};`);
    });
    incoming.on('end', () => outgoing.end('end'));
  });
  const upload = sendRequest(url + document, { method: 'POST', headers });
  upload.write('first');
  const [response] = await once(upload, 'response');
  const received: string[] = [];
  response.setEncoding('utf8').on('data', (chunk: string) => received.push(chunk));
  await waitFor(() => received.join('') === 'got first;', { until: 'the first echo' });
  upload.write('second');
  await waitFor(() => received.join('') === 'got first;got second;', { until: 'the second echo' });
  upload.end();
  await waitFor(() => received.join('').endsWith('end'), { until: 'the end' });
  t.same(arrived, ['first', 'second']);
});

t.test('large uploads and downloads arrive complete', async (t) => {
  const { upstream, url, authHeaders, send } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['MENTOR']));
  const bytes = randomBytes(24 * 1_024 * 1_024);
  upstream.respondWith(async (incoming, outgoing) => sendJson(outgoing, 201, { sha: sha(await readAll(incoming)) }));
  t.equal((await send(document, { method: 'POST', headers, body: bytes })).json.sha, sha(bytes));
  upstream.respondWith((_incoming, outgoing) => outgoing.end(bytes));
  const response = await fetch(url + stream, { headers });
  t.equal(sha(Buffer.from(await response.arrayBuffer())), sha(bytes));
});
