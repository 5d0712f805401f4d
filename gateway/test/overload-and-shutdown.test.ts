import { request as sendRequest } from 'node:http';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { request } from 'undici';
import { startGateway } from './start-gateway.ts';

const stream = '/api/s3/document/stream?key=k';

t.test('with too many requests in flight the next returns 503, and /healthz still 200', async (t) => {
  const { send, upstream, url, authHeaders } = await startGateway(t, { environment: { MAX_REQUESTS_IN_FLIGHT: '3' } });
  const headers = await authHeaders();
  let arrived = 0;
  upstream.respondWith((incoming) => {
    arrived += 1;
    incoming.on('error', () => undefined);
  });
  const waiting = Array.from({ length: 3 }, () => sendRequest(url + stream, { headers }).on('error', () => undefined));
  for (const one of waiting) one.end();
  await waitFor(() => arrived === 3);
  const refused = await send('/api/education/levels');
  t.match(refused, { status: 503, headers: { 'retry-after': '1' }, json: { code: 'SERVICE_UNAVAILABLE' } });
  t.equal((await send('/healthz')).status, 200);
  for (const one of waiting) one.destroy();
  upstream.respondWith(undefined);
  await waitFor(async () => (await send('/api/education/levels')).status === 200);
});

t.test('a gateway that shuts down finishes responses and closes idle connections', async (t) => {
  const { app, upstream, url, authHeaders, agent } = await startGateway(t);
  const headers = await authHeaders();
  let finish: (() => void) | undefined;
  upstream.respondWith((_incoming, outgoing) => {
    outgoing.writeHead(200).write('begun ');
    finish = () => outgoing.end('and ended');
  });
  const response = await request(url + stream, { headers, dispatcher: agent });
  const closed = app.close();
  await waitFor(() => !app.server.listening);
  finish?.();
  t.equal(await response.body.text(), 'begun and ended');
  const startedAt = performance.now();
  await closed;
  t.ok(performance.now() - startedAt < 15_000, 'idle connections do not delay it');
});
