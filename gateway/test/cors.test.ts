import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { shareGateway, startGateway } from './start-gateway.ts';

const levels = '/api/education/levels';
const sharedGateway = await shareGateway(t, {
  environment: {
    CORS_ORIGINS: 'https://App.example, http://localhost:3000, https://b.example:443',
    PUBLIC_URL: 'HTTPS://lms.example',
  },
});

t.test('only configured origins get CORS headers', async (t) => {
  const { send, authHeaders } = sharedGateway();
  const preflight = (origin: string, path = '/api/users/tz4a98xxat96iws9zmbrgj3a') =>
    send(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
    });
  const allowed = await preflight('https://app.example');
  t.match(allowed, {
    status: 204,
    headers: {
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'GET, PUT, HEAD, OPTIONS',
      'access-control-allow-headers':
        /Authorization.*Idempotency-Key.*tracestate, baggage, Cache-Control, X-Requested-With/,
      vary: 'Origin',
    },
  });
  for (const origin of [
    'https://evil.example',
    'null',
    'https://app.example.evil',
    'http://app.example',
    'https://APP.example',
  ]) {
    const foreign = await preflight(origin);
    t.equal(foreign.status, 204, origin);
    for (const name of Object.keys(foreign.headers)) t.notMatch(name, /^access-control-/);
    const read = await send(levels, { headers: { origin } });
    t.equal(read.status, 200);
    t.same(String(read.headers.vary).split(/, ?/), ['Origin', 'Authorization'], 'the response depends on both');
    t.equal(read.headers['access-control-allow-origin'], undefined);
  }
  const headers = { ...(await authHeaders(testPrincipal())), origin: 'http://localhost:3000' };
  for (const path of [levels, '/api/enrollment', '/api/nothing', '/api/%zz'])
    t.match((await send(path, { headers })).headers, {
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-expose-headers': /X-RateLimit-Remaining/,
    });
  const document = await send('/api/openapi.json', { headers });
  t.same(String(document.headers.vary).split(/, ?/), ['Origin', 'Accept-Encoding']);
  t.match(await send(levels, { method: 'OPTIONS' }), { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
  t.equal((await send('/api/nothing', { method: 'OPTIONS' })).status, 404);
});

t.test('an origin is allowed however it is written', async (t) => {
  const { send } = sharedGateway();
  t.ok((await send(levels)).headers['strict-transport-security'], 'as is the protocol of PUBLIC_URL');
  for (const origin of ['https://app.example', 'https://b.example'])
    t.equal((await send(levels, { headers: { origin } })).headers['access-control-allow-origin'], origin);
});

t.test('loopback allows every port of this machine, and no other origin', async (t) => {
  const { send } = await startGateway(t, { environment: { CORS_ORIGINS: 'loopback,https://app.example' } });
  const allowed = async (origin: string) =>
    (await send(levels, { headers: { origin } })).headers['access-control-allow-origin'];
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8000', 'https://localhost'])
    t.equal(await allowed(origin), origin);
  t.equal(await allowed('https://app.example'), 'https://app.example');
  for (const origin of ['http://localhost.evil.example', 'http://127.0.0.1.evil.example:80', 'http://localhost:1@evil'])
    t.equal(await allowed(origin), undefined, origin);
});
