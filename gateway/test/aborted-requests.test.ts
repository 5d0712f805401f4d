import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { startGateway } from './start-gateway.ts';
import { type Handler, sendJson } from './start-upstream.ts';

const document = '/api/s3/document/upload';
const stream = '/api/s3/document/stream?key=k';
const path = '/api/enrollment';

/** Counts the requests that arrived and those that their sender aborted. */
function countRequests(next: Handler = () => undefined) {
  const counts = { arrived: 0, aborted: 0 };
  const handler: Handler = (incoming, outgoing) => {
    counts.arrived += 1;
    incoming.on('error', () => undefined);
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) counts.aborted += 1;
    });
    return next(incoming, outgoing);
  };
  return { counts, handler };
}

t.test('the upstream request is aborted when the client disconnects, in every phase', async (t) => {
  const { upstream, url, authHeaders, registry } = await startGateway(t);
  const headers = await authHeaders(testPrincipal(['MENTOR']));
  const open = (route: string, method = 'GET') =>
    sendRequest(url + route, { method, headers }).on('error', () => undefined);

  t.test('while the gateway waits for headers', async (t) => {
    const { counts, handler } = countRequests();
    upstream.respondWith(handler);
    const waiting = open(stream);
    waiting.end();
    await waitFor(() => counts.arrived === 1);
    waiting.destroy();
    await waitFor(() => counts.aborted === 1, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('during a download', async (t) => {
    const { counts, handler } = countRequests((_incoming, outgoing) => outgoing.writeHead(200).write('some'));
    upstream.respondWith(handler);
    const reading = open(stream);
    reading.end();
    await once(reading, 'response');
    reading.destroy();
    await waitFor(() => counts.aborted === 1, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('during an upload', async (t) => {
    let broken = false;
    const { counts, handler } = countRequests((incoming) => incoming.on('aborted', () => (broken = true)).resume());
    upstream.respondWith(handler);
    const writing = open(document, 'POST');
    writing.write('some');
    await waitFor(() => counts.arrived === 1);
    writing.destroy();
    await waitFor(() => counts.aborted === 1 && broken, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('after an upload, before the response', async (t) => {
    const { counts, handler } = countRequests((incoming) => incoming.resume());
    upstream.respondWith(handler);
    const waiting = open(document, 'POST');
    waiting.end('all');
    await waitFor(() => counts.arrived === 1);
    waiting.destroy();
    await waitFor(() => counts.aborted === 1, { until: 'the upstream request to be aborted' });
    t.pass();
  });

  t.test('while the principal is resolved: the service receives no request', async (t) => {
    const { counts, handler } = countRequests();
    upstream.respondWith(handler);
    let sendResponse: (() => void) | undefined;
    const user = testPrincipal();
    const unknownUser = await authHeaders(user);
    upstream.respondToPrincipalsWith((_incoming, outgoing) => {
      sendResponse = () => sendJson(outgoing, 200, { success: true, data: user });
    });
    const waiting = sendRequest(url + path, { headers: unknownUser }).on('error', () => undefined);
    waiting.end();
    await waitFor(() => sendResponse, { until: 'the request for the principal' });
    waiting.destroy();
    await waitFor(async () => (await registry.metrics()).includes('\nhttp_requests_in_flight 0\n'), {
      until: 'the gateway to notice that the client has left',
    });
    sendResponse?.();
    upstream.respondToPrincipalsWith(undefined);
    upstream.respondWith(undefined);
    t.equal((await fetch(url + path, { headers: await authHeaders() })).status, 200);
    t.equal(counts.arrived, 0);
  });
});
