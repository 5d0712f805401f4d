import { createServer, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { listen } from '@lms/testing/listen';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type BodyLimits, limitBody } from '../src/plugins/request-bodies.ts';
import { sendRaw, statusesOf } from './send-raw.ts';
import { startGateway } from './start-gateway.ts';

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
  t.match(await errorOf(long.body), { statusCode: 413 });
});

t.test('headers that do not arrive within fifteen seconds return 408', async (t) => {
  const { port } = await startGateway(t);
  const startedAt = performance.now();
  const text = await sendRaw(port, 'GET /api/education/levels HTTP/1.1\r\nHost: x\r\n');
  const elapsedMs = performance.now() - startedAt;
  t.same(statusesOf(text), [408]);
  t.match(text, /"success":false/);
  t.ok(elapsedMs > 14_000 && elapsedMs < 60_000, `${Math.round(elapsedMs)} ms`);
});
