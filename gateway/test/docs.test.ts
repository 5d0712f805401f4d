import { createHook } from 'node:async_hooks';
import { createServer, type RequestListener } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listen } from '@lms/testing/listen';
import t, { type Test } from 'tap';
import { routes } from '../src/routes.ts';
import { shareGateway, startGateway } from './start-gateway.ts';

const sharedGateway = await shareGateway(t);

const ownPaths = ['/', '/api', '/api/openapi.json', '/api/docs', '/api/docs/*', '/healthz', '/readyz'];

t.test('the OpenAPI document describes every route of the routing table, and no other', async (t) => {
  const { send } = sharedGateway();
  const { status, headers, json } = await send('/api/openapi.json');
  t.equal(status, 200);
  t.equal(headers['content-type'], 'application/json; charset=utf-8');
  t.equal(json.openapi, '3.1.0');
  const documented = Object.entries<object>(json.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = routes
    .filter(({ path }) => !ownPaths.includes(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  t.strictSame(documented.sort(), routed.sort());
});

t.test('the OpenAPI document supports If-None-Match', async (t) => {
  const { send } = sharedGateway();
  const first = await send('/api/openapi.json');
  const again = await send('/api/openapi.json', { headers: { 'if-none-match': String(first.headers.etag) } });
  t.equal(again.status, 304);
  t.equal(again.bytes.length, 0);
});

t.test('the API docs load only files of the gateway', async (t) => {
  const { send } = sharedGateway();
  const page = await send('/api/docs');
  t.match(page, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  t.match(page.headers['content-security-policy'], /script-src 'self'/);
  const loaded = [...page.bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
  t.ok(loaded.length >= 3);
  for (const address of loaded) t.equal((await send(address)).status, 200, address);
  t.equal((await send('/api/docs/static/oauth2-redirect.html')).status, 200);
  for (const file of ['package.json', 'yaml'])
    t.match(await send(`/api/docs/${file}`), { status: 404, json: { code: 'NOT_FOUND' } }, file);
});

t.test('the start page leads to the API docs, whose files are compressed and fit a phone', async (t) => {
  const { send } = sharedGateway();
  for (const path of ['/', '/api']) t.match(await send(path), { status: 302, headers: { location: '/api/docs' } });
  const headers = { 'accept-encoding': 'gzip, br' };
  for (const file of [
    'openapi.json',
    'docs',
    'docs/json',
    'docs/static/swagger-ui-bundle.js',
    'docs/static/swagger-ui.css',
    'docs/static/theme/page.css',
  ]) {
    const plain = await send(`/api/${file}`);
    for (const round of ['compressed', 'stored']) {
      const packed = await send(`/api/${file}`, { headers });
      t.match(packed.headers, { 'content-encoding': 'gzip', etag: /^W\// }, `${file} ${round}`);
      t.ok(gunzipSync(packed.bytes).equals(plain.bytes), `${file} ${round}`);
    }
    const refusing = { 'accept-encoding': 'br, gzip;q=0' };
    t.equal((await send(`/api/${file}`, { headers: refusing })).headers['content-encoding'], undefined);
    const { etag, vary, 'content-length': length } = (await send(`/api/${file}`, { headers })).headers;
    const head = await send(`/api/${file}`, { method: 'HEAD', headers });
    t.match(head, { status: 200, headers: { etag, vary, 'content-length': length } }, `HEAD of ${file}`);
    const again = await send(`/api/${file}`, { headers: { ...headers, 'if-none-match': String(etag) } });
    t.match(again, { status: 304, headers: { vary } });
  }
  t.match((await send('/api/docs')).bytes.toString(), /<meta name="viewport"/);
});

t.test('a file of the docs is compressed once, however its path is spelled', async (t) => {
  const { send } = await startGateway(t);
  let compressions = 0;
  const hook = createHook({ init: (_id, type) => (compressions += type === 'ZLIB' ? 1 : 0) }).enable();
  t.teardown(() => hook.disable());
  const headers = { 'accept-encoding': 'gzip' };
  const spellings = ['swagger-ui.css', 'swagger-ui.cs%73', '%73wagger-ui.css', 'swagger-ui.%63ss'];
  const load = (file: string) => send(`/api/docs/static/${file}`, { headers });
  await send('/api/docs/static/swagger-ui.css', { method: 'HEAD', headers });
  const loaded = await Promise.all([...spellings, ...spellings].map(load));
  t.same(
    loaded.map(({ status, headers }) => [status, headers['content-encoding']]),
    loaded.map(() => [200, 'gzip']),
  );
  for (const { bytes } of loaded) t.ok(gunzipSync(bytes).length > 100_000);
  // Decompressing synchronously is one, too.
  t.ok(compressions - loaded.length <= 1, `${compressions}`);
});

t.test('the API docs offer no signature of webhooks, and code samples for every operation', async (t) => {
  const { send } = sharedGateway();
  const { json } = await send('/api/docs/json');
  t.strictSame(Object.keys(json.components.securitySchemes), ['bearer']);
  t.strictSame(json.paths['/api/webhooks/identity'].post.security, []);
  for (const { operationId, description } of Object.values<object>(json.paths).flatMap((path) => Object.values(path)))
    t.match(description, /\*\*curl\*\*[\s\S]*\*\*fetch\*\*/, operationId);
});

/** Starts a provider that responds like this, and counts the requests for its discovery document. */
async function startProvider(t: Test, respond: (issuer: string) => RequestListener) {
  let discoveryRequests = 0;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/openid-configuration')) discoveryRequests += 1;
    return respond(issuer)(request, response);
  });
  const issuer = await listen(t, server);
  return { issuer, discoveryRequests: () => discoveryRequests };
}

const discovery = (issuer: string) =>
  JSON.stringify({ authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` });

t.test(
  'a provider that does not respond gets one request for all clients, who get the docs without its sign-in',
  async (t) => {
    const failures: Record<string, RequestListener> = {
      'an error': (_request, response) => response.writeHead(503).end(),
      'a reset': (request) => request.socket.resetAndDestroy(),
      'no response': () => undefined,
    };
    for (const [what, respond] of Object.entries(failures)) {
      const { issuer, discoveryRequests } = await startProvider(t, () => respond);
      const { send } = await startGateway(t, { environment: { IDP_ISSUER: issuer } });
      const read = async () => {
        const paths = ['/api/openapi.json', '/api/docs', '/api/docs/static/swagger-initializer.js'];
        const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => send(paths[n % 3] ?? '')));
        for (const { status } of responses) t.equal(status, 200);
      };
      await read();
      await read();
      t.ok(
        discoveryRequests() >= 1 && discoveryRequests() <= 2,
        `${what}: ${discoveryRequests()} requests for 60 clients`,
      );
    }
  },
);

t.test('the OpenAPI document offers the sign-in of the provider, whose endpoints are fetched once', async (t) => {
  const { issuer, discoveryRequests } = await startProvider(
    t,
    (url) => (_request, response) => response.end(discovery(url)),
  );
  const { send } = await startGateway(t, { environment: { IDP_ISSUER: issuer } });
  const { json } = await send('/api/openapi.json');
  t.match(json.components.securitySchemes.provider.flows.authorizationCode, { tokenUrl: `${issuer}/token` });
  t.match(json.paths['/api/users'].get.security, [{ bearer: [] }, { provider: [] }]);
  for (let times = 0; times < 3; times += 1) t.equal((await send('/api/openapi.json')).status, 200);
  t.equal(discoveryRequests(), 1);
});
