import { createServer, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { listen } from '@lms/testing/listen';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type BodyLimits, limitBody } from '../src/plugins/request-bodies.ts';
import { sendRaw, statusesOf } from './send-raw.ts';
import { startGateway } from './start-gateway.ts';

const patient: BodyLimits = { maxBytes: 1_000, totalMs: 60_000, idleMs: 60_000 };

/** An upload under way, and its body as the gateway would pass it on. */
async function startUpload(t: Test, limits: Partial<BodyLimits>) {
  let incoming: IncomingMessage | undefined;
  const server = createServer((arrived) => {
    incoming = arrived;
  });
  const url = await listen(t, server);
  const upload = request(url, { method: 'POST' }).on('error', () => undefined);
  upload.write('some');
  const arrived = await waitFor(() => incoming);
  return { upload, body: limitBody(arrived, { ...patient, ...limits }) };
}

const errorEnvelope = (body: Readable) => new Promise<unknown>((resolve) => body.once('error', resolve));

t.test('a body that stops coming is given up', async (t) => {
  const { body } = await startUpload(t, { idleMs: 500 });
  body.resume();
  t.match(await errorEnvelope(body), { statusCode: 408, code: 'REQUEST_TIMEOUT' });
});

t.test('a body that trickles for too long is given up', async (t) => {
  const { body, upload } = await startUpload(t, { totalMs: 1_500, idleMs: 60_000 });
  const trickle = setInterval(() => upload.write('.'), 100);
  t.teardown(() => clearInterval(trickle));
  body.resume();
  t.match(await errorEnvelope(body), { statusCode: 408 });
});

t.test('a body that nobody takes is not given up: its sender is not the one who is late', async (t) => {
  const { body, upload } = await startUpload(t, { idleMs: 300, maxBytes: Number.POSITIVE_INFINITY });
  upload.end(Buffer.alloc(512 * 1_024));
  let failure: unknown;
  body.once('error', (error) => {
    failure = error;
  });
  const startedAt = performance.now();
  await waitFor(() => performance.now() - startedAt > 2_500, { until: 'twice the patience of the watch' });
  t.equal(failure, undefined);
  let read = 0;
  for await (const chunk of body) read += chunk.length;
  t.equal(read, 512 * 1_024 + 4);
});

t.test('a body whose sender leaves fails, and one over its limit is a 413', async (t) => {
  const leaving = await startUpload(t, {});
  leaving.body.resume();
  leaving.upload.destroy();
  t.match(await errorEnvelope(leaving.body), { name: 'ClientGone' });
  const long = await startUpload(t, { maxBytes: 10 });
  long.body.resume();
  long.upload.write('more than ten bytes');
  t.match(await errorEnvelope(long.body), { statusCode: 413 });
});

t.test('headers that do not arrive within fifteen seconds are a 408', async (t) => {
  const { port } = await startGateway(t);
  const startedAt = performance.now();
  const text = await sendRaw(port, 'GET /api/education/levels HTTP/1.1\r\nHost: x\r\n', { timeoutMs: 20_000 });
  const elapsedMs = performance.now() - startedAt;
  t.same(statusesOf(text), [408]);
  t.match(text, /"success":false/);
  t.ok(elapsedMs > 14_000 && elapsedMs < 60_000, `${Math.round(elapsedMs)} ms`);
});
