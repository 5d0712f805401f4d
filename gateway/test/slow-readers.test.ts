import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { startGateway } from './start-gateway.ts';

const idleTimeoutMs = 1_500;
const piece = Buffer.alloc(64 * 1_024);

/** A download that has filled every buffer on its way to a reader who has not begun to read. */
async function fillUp(t: Test) {
  const { upstream, port, authHeaders } = await startGateway(t, { options: { idleTimeoutMs } });
  const { authorization } = await authHeaders(testPrincipal());
  const sender = { written: 0, isCut: false };
  upstream.respondWith((_incoming, outgoing) => {
    outgoing.on('close', () => {
      sender.isCut = true;
    });
    const pump = () => {
      sender.written += piece.length;
      if (outgoing.write(piece)) setImmediate(pump);
      else outgoing.once('drain', pump);
    };
    pump();
  });
  const reader = connect(port, '127.0.0.1').on('error', () => undefined);
  t.teardown(() => reader.destroy());
  const request = `GET /api/s3/document/stream?key=k HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`;
  reader.pause().write(request);
  await waitFor(() => sender.written > 0);
  for (let before = 0; before !== sender.written; ) {
    before = sender.written;
    await pause(200);
  }
  return { sender, reader };
}

t.test('a reader who takes no byte for a while loses the response', async (t) => {
  const { sender } = await fillUp(t);
  await waitFor(() => sender.isCut, { until: 'the download to be cut off' });
  t.pass();
});

t.test('a slow reader keeps it', async (t) => {
  const { sender, reader } = await fillUp(t);
  const [bytesPerMs, forMs] = [2_000, 3 * idleTimeoutMs];
  const since = performance.now();
  for (let elapsedMs = 0, taken = 0; elapsedMs < forMs; elapsedMs = performance.now() - since) {
    while (taken < elapsedMs * bytesPerMs) {
      const got = reader.read();
      if (!got) break;
      taken += got.length;
    }
    await pause(20);
  }
  t.notOk(sender.isCut);
});
