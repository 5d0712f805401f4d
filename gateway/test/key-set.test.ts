import { testPrincipal } from '@lms/testing/principals';
import { startTokenIssuer } from '@lms/testing/token-issuer';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { startKeyServer } from './key-server.ts';
import { type Gateway, startGateway } from './start-gateway.ts';

const statusWith = async ({ send }: Gateway, token: string) =>
  (await send('/api/enrollment', { headers: { authorization: `Bearer ${token}` } })).status;

t.test('without keys a token returns 503 and anonymous reads work, until the provider is up', async (t) => {
  const issuer = await startTokenIssuer(t);
  issuer.setBroken(true);
  const gateway = await startGateway(t, { issuer });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  const token = await issuer.token({ sub: user.identityProviderId });
  const refused = await gateway.send('/api/enrollment', { headers: { authorization: `Bearer ${token}` } });
  t.match(refused, { status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
  t.ok(Number(refused.headers['retry-after']) > 0);
  t.equal((await gateway.send('/api/education/levels')).status, 200);
  t.equal((await gateway.send('/api/enrollment')).status, 401);
  issuer.setBroken(false);
  await waitFor(async () => (await statusWith(gateway, token)) === 200, { until: 'the keys' });
});

t.test('fetched keys are used while the provider is down', async (t) => {
  const issuer = await startTokenIssuer(t);
  const gateway = await startGateway(t, { issuer });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  t.equal(await statusWith(gateway, await issuer.token({ sub: user.identityProviderId })), 200);
  issuer.setBroken(true);
  await issuer.addKey('later', 'ES256');
  t.equal(await statusWith(gateway, await issuer.token({ sub: user.identityProviderId, jti: 'another' })), 200);
});

t.test('unknown key ids cause at most one fetch in five seconds', async (t) => {
  const issuer = await startTokenIssuer(t);
  const startedAt = performance.now();
  const gateway = await startGateway(t, { issuer });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  t.equal(await statusWith(gateway, await issuer.token({ sub: user.identityProviderId })), 200);
  t.equal(issuer.fetches(), 1);
  await issuer.addKey('second', 'ES256');
  await issuer.removeKey('first');
  const token = await issuer.token({ sub: user.identityProviderId }, { kid: 'second', alg: 'ES256' });
  await waitFor(async () => (await statusWith(gateway, token)) === 200, { until: 'the new key' });
  t.equal(issuer.fetches(), 2);
  t.ok(performance.now() - startedAt >= 5_000, 'no second fetch within five seconds');
  const flood = Array.from({ length: 30 }, async (_, index) => {
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: `unknown-${index}` })).toString('base64url');
    return statusWith(gateway, `${header}.e30.AAAA`);
  });
  t.ok((await Promise.all(flood)).every((status) => status === 401));
  t.ok(issuer.fetches() <= 3, 'on a busy machine they may take more than five seconds');
});

t.test('a removed key is rejected after the next fetch, for cached tokens too', async (t) => {
  const issuer = await startTokenIssuer(t);
  const gateway = await startGateway(t, { issuer });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  const token = await issuer.token({ sub: user.identityProviderId });
  t.equal(await statusWith(gateway, token), 200);
  await issuer.addKey('second', 'ES256');
  const next = await issuer.token({ sub: user.identityProviderId }, { kid: 'second', alg: 'ES256' });
  issuer.removeKey('first');
  await waitFor(async () => (await statusWith(gateway, next)) === 200, { until: 'the next fetch' });
  t.equal(await statusWith(gateway, token), 401);
});

t.test('concurrent requests share one fetch', async (t) => {
  const keys = await startKeyServer(t);
  keys.respondWith((response) => response.writeHead(503).end());
  const gateway = await startGateway(t, { issuer: keys });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, jti) => keys.token({ sub: user.identityProviderId, jti: String(jti) })),
  );
  let sendKeys: (() => void) | undefined;
  keys.respondWith((response) => {
    sendKeys = () => response.end(JSON.stringify({ keys: keys.published }));
  });
  await waitFor(() => sendKeys, { until: 'the next fetch' });
  const fetches = keys.fetches();
  const statuses = tokens.map((token) => statusWith(gateway, token));
  await waitFor(async () => (await gateway.registry.metrics()).includes('\nhttp_requests_in_flight 20\n'));
  sendKeys?.();
  t.same(new Set(await Promise.all(statuses)), new Set([200]));
  t.equal(keys.fetches(), fetches);
});

t.test('an invalid key set response is not used', async (t) => {
  const elsewhere = await startKeyServer(t);
  const responses: [string, (response: import('node:http').ServerResponse) => unknown][] = [
    ['a redirect', (response) => response.writeHead(302, { location: elsewhere.jwksUrl }).end()],
    ['not JSON', (response) => response.end('<html>')],
    ['not a list', (response) => response.end('{"keys":{}}')],
    ['null', (response) => response.end('null')],
    ['an error status', (response) => response.writeHead(403).end(JSON.stringify({ keys: elsewhere.published }))],
    ['too long', (response) => response.end(Buffer.alloc(600 * 1_024, ' '))],
  ];
  for (const [name, respond] of responses) {
    const keys = await startKeyServer(t);
    keys.respondWith(respond);
    const gateway = await startGateway(t, { issuer: keys });
    t.equal(await statusWith(gateway, await elsewhere.token({ iss: keys.issuer, sub: 'user' })), 503, name);
  }
  t.equal(elsewhere.fetches(), 0, 'redirects are not followed');
});

t.test('keys for other uses, weak keys and private keys are not accepted', async (t) => {
  const keys = await startKeyServer(t);
  const [good] = keys.published;
  const flaws: [string, object][] = [
    ['for encryption', { use: 'enc' }],
    ['for signing only', { key_ops: ['sign'] }],
    ['for another algorithm', { alg: 'RS512' }],
    ['with the private part', { d: 'AQAB' }],
    ['without an id', { kid: undefined }],
    ['with an exponent of one', { e: 'AQ' }],
    ['of 1024 bits', { n: Buffer.alloc(128, 255).toString('base64url') }],
    ['with no modulus', { n: undefined }],
    ['symmetric', { kty: 'oct', k: 'AAAA' }],
  ];
  keys.published.push(...flaws.map(([kid, flaw]) => ({ ...good, kid, ...flaw })));
  const gateway = await startGateway(t, { issuer: keys });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  const sub = user.identityProviderId;
  t.equal(await statusWith(gateway, await keys.token({ sub })), 200, 'the key of the same set without a flaw');
  for (const [kid] of flaws) {
    const iat = Math.floor(Date.now() / 1_000);
    const token = keys.sign({ iss: keys.issuer, sub, iat, exp: iat + 600 }, { kid });
    t.equal(await statusWith(gateway, token), 401, kid);
  }
});

t.test('the gateway starts while the provider is unreachable', async (t) => {
  const issuer = 'http://127.0.0.1:1';
  const gateway = await startGateway(t, { issuer: { issuer, jwksUrl: `${issuer}/jwks`, token: async () => '' } });
  t.equal((await gateway.send('/api/education/levels')).status, 200);
  t.match((await gateway.send('/readyz')).json, { status: 'degraded', checks: { keys: 'unavailable' } });
});
