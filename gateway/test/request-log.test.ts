import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { startGateway } from './start-gateway.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const path = '/api/enrollment';

t.test('each request is logged in one line, without secrets', async (t) => {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  const { send, authHeaders, upstream } = await startGateway(t, { logger });
  const user = testPrincipal(['LEARNER'], { email: 'secret@lms.test' });
  const headers = await authHeaders(user);
  const requestLines = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const untilLogged = (count: number) =>
    waitFor(() => requestLines().length === count, { until: `${count} log lines` });
  const { headers: response } = await send(`${path}/${id}?search=private`, { headers });
  await untilLogged(1);
  await send('/api/webhooks/identity', {
    method: 'POST',
    headers: { 'x-webhook-signature': 'sig-secret' },
    body: '{}',
  });
  await untilLogged(2);
  upstream.respondWith((incoming) => incoming.socket.destroy());
  await send(path, { headers });
  await untilLogged(3);
  await send('/api/nothing');
  await untilLogged(4);
  t.match(requestLines()[0], {
    requestId: response['x-request-id'],
    method: 'GET',
    route: '/api/enrollment/:id',
    status: 200,
    userId: user.userId,
    durationMs: Number,
  });
  t.same(
    requestLines().map(({ status, code }) => ({ status, code })),
    [
      ...[200, 200].map((status) => ({ status, code: undefined })),
      { status: 503, code: 'SERVICE_UNAVAILABLE' },
      { status: 404, code: 'NOT_FOUND' },
    ],
  );
  const everything = lines.join('');
  for (const secret of [headers.authorization.slice(7), user.email, 'sig-secret', 'private'])
    t.notOk(everything.includes(secret), secret.slice(0, 10));
});
