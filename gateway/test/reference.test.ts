import t from 'tap';
import { routingTable } from '../src/routing/table.ts';
import { startGateway } from './gateway.ts';

const ownPlaces = ['/api/openapi.json', '/api/docs', '/api/docs/*', '/healthz', '/readyz'];

t.test('the document describes every route of the routing table, and no other', async (t) => {
  const { send } = await startGateway(t);
  const { status, headers, json } = await send('/api/openapi.json');
  t.equal(status, 200);
  t.equal(headers['content-type'], 'application/json; charset=utf-8');
  t.equal(json.openapi, '3.1.0');
  const told = Object.entries<object>(json.paths).flatMap(([path, place]) =>
    Object.keys(place).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = routingTable
    .filter(({ path }) => !ownPlaces.includes(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  t.strictSame(told.sort(), routed.sort());
});

t.test('whoever holds the document is told that nothing has changed', async (t) => {
  const { send } = await startGateway(t);
  const first = await send('/api/openapi.json');
  const again = await send('/api/openapi.json', { headers: { 'if-none-match': String(first.headers.etag) } });
  t.equal(again.status, 304);
  t.equal(again.bytes.length, 0);
});

t.test('the reference loads nothing from elsewhere', async (t) => {
  const { send } = await startGateway(t);
  const page = await send('/api/docs');
  t.match(page, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  t.match(page.headers['content-security-policy'], /script-src 'self'/);
  const loaded = [...page.bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
  t.ok(loaded.length >= 3);
  for (const address of loaded) t.equal((await send(address)).status, 200, address);
  t.equal((await send('/api/docs/oauth2-redirect.html')).status, 200);
  t.match(await send('/api/docs/package.json'), { status: 404, json: { code: 'NOT_FOUND' } });
});
