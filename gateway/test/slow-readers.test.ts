import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { shareGateway } from './start-gateway.ts';

const idleTimeoutMs = 2_000;
const impatientGateway = await shareGateway(t, { options: { idleTimeoutMs } });
const sharedGateway = await shareGateway(t);
const piece = Buffer.alloc(64 * 1_024);

/** Starts a download that has filled every buffer on its way to a client that has not begun to read. */
async function startStalledDownload(t: Test) {
  const { upstream, port, authHeaders } = impatientGateway();
  const { authorization } = await authHeaders(testPrincipal());
  const sender = { written: 0, isAborted: false };
  upstream.respondWith((_incoming, outgoing) => {
    outgoing.on('close', () => {
      sender.isAborted = true;
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

t.test('a response is aborted when the client reads nothing for the idle timeout', async (t) => {
  const { sender } = await startStalledDownload(t);
  await waitFor(() => sender.isAborted, { until: 'the download to be aborted' });
  t.pass();
});

t.test('a response is not aborted while the client reads slowly', async (t) => {
  const { sender, reader } = await startStalledDownload(t);
  const [bytesPerMs, forMs] = [10_000, 3 * idleTimeoutMs];
  const since = performance.now();
  for (let elapsedMs = 0, taken = 0; elapsedMs < forMs; elapsedMs = performance.now() - since) {
    while (taken < elapsedMs * bytesPerMs) {
      const got = reader.read();
      if (!got) break;
      taken += got.length;
    }
    await pause(20);
  }
  t.notOk(sender.isAborted);
});

/** Waits until nothing more is sent, and checks that what is buffered on the way is limited. */
async function sendingStops(t: Test, sent: () => number, until: string) {
  let before = -1;
  await waitFor(
    () => {
      const isStill = before === sent();
      before = sent();
      return isStill;
    },
    { until },
  );
  t.ok(sent() < 32 * 1_024 * 1_024, `${sent() >> 20} MiB are buffered`);
}

t.test('a slow reader slows the service down', async (t) => {
  const { upstream, url, authHeaders } = sharedGateway();
  const headers = await authHeaders();
  let sent = 0;
  upstream.respondWith((_incoming, outgoing) => {
    const pump = () => {
      while (sent < 256 * 1_024 * 1_024 && !outgoing.destroyed) {
        sent += piece.length;
        if (!outgoing.write(piece)) return void outgoing.once('drain', pump);
      }
      outgoing.end();
    };
    pump();
  });
  const download = sendRequest(`${url}/api/s3/document/stream?key=k`, { headers }).end();
  const [response] = await once(download, 'response');
  await sendingStops(t, () => sent, 'the service to stop sending');
  response.destroy();
});

t.test('clients that stop reading leave connections to the service for others', async (t) => {
  const { upstream, port, send, authHeaders } = sharedGateway();
  const headers = await authHeaders();
  const body = Buffer.alloc(8 * 1_024 * 1_024);
  upstream.respondWith((_incoming, outgoing) => outgoing.end(body));
  const text = `GET /api/enrollment HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n\r\n`;
  const readers = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').pause());
  t.teardown(() => readers.forEach((reader) => void reader.destroy()));
  for (const reader of readers) reader.on('error', () => undefined).write(text);
  await Promise.all(readers.map((reader) => once(reader, 'readable')));
  upstream.respondWith(undefined);
  t.equal((await send('/api/enrollment', { headers })).status, 200);
});

t.test('a slow service slows the upload down', async (t) => {
  const { upstream, url, authHeaders } = sharedGateway();
  const headers = await authHeaders(testPrincipal(['MENTOR']));
  let arrived = false;
  upstream.respondWith((incoming) => {
    arrived = true;
    incoming.on('error', () => undefined).pause();
  });
  const upload = sendRequest(`${url}/api/s3/document/upload`, { method: 'POST', headers }).on('error', () => undefined);
  let sent = 0;
  const pump = () => {
    while (sent < 256 * 1_024 * 1_024) {
      sent += piece.length;
      if (!upload.write(piece)) return;
    }
  };
  upload.on('drain', pump);
  pump();
  await waitFor(() => arrived, { until: 'the upload to arrive' });
  await sendingStops(t, () => sent, 'the client to stop sending');
  upload.destroy();
});
