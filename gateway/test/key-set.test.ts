import { setTimeout as pause } from 'node:timers/promises';
import { testPrincipal } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { startTokenIssuer } from '@lms/testing/token-issuer';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { startKeyServer } from './key-server.ts';
import { startGateway } from './start-gateway.ts';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

const statusWith = async ({ send }: Gateway, token: string) =>
  (await send('/api/enrollment', { headers: { authorization: `Bearer ${token}` } })).status;

t.test('without keys a token is a 503 and anonymous reads work, until the provider comes', async (t) => {
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
  await waitFor(async () => (await statusWith(gateway, token)) === 200, { timeoutMs: 10_000, until: 'the keys' });
});

t.test('known keys outlive the provider', async (t) => {
  const issuer = await startTokenIssuer(t);
  const gateway = await startGateway(t, { issuer });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  t.equal(await statusWith(gateway, await issuer.token({ sub: user.identityProviderId })), 200);
  issuer.setBroken(true);
  await issuer.addKey('later');
  t.equal(await statusWith(gateway, await issuer.token({ sub: user.identityProviderId, jti: 'another' })), 200);
});

t.test('an unknown key id causes one fetch in five seconds, however many ask', async (t) => {
  const issuer = await startTokenIssuer(t);
  const gateway = await startGateway(t, { issuer });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  t.equal(await statusWith(gateway, await issuer.token({ sub: user.identityProviderId })), 200);
  t.equal(issuer.fetches(), 1);
  await issuer.addKey('second');
  await issuer.removeKey('first');
  const token = await issuer.token({ sub: user.identityProviderId }, { kid: 'second' });
  t.equal(await statusWith(gateway, token), 401, 'so soon after the first fetch nobody asks again');
  t.equal(issuer.fetches(), 1);

  await waitFor(async () => (await statusWith(gateway, token)) === 200, { until: 'the new key' });
  t.equal(issuer.fetches(), 2);
  const flood = Array.from({ length: 30 }, async (_, index) => {
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: `invented-${index}` })).toString('base64url');
    return statusWith(gateway, `${header}.e30.AAAA`);
  });
  t.ok((await Promise.all(flood)).every((status) => status === 401));
  t.equal(issuer.fetches(), 2);
});

t.test('a key that is gone from the set is refused after the next fetch, remembered tokens included', async (t) => {
  const issuer = await startTokenIssuer(t);
  const gateway = await startGateway(t, { issuer });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  const token = await issuer.token({ sub: user.identityProviderId });
  t.equal(await statusWith(gateway, token), 200);
  await issuer.addKey('second');
  const next = await issuer.token({ sub: user.identityProviderId }, { kid: 'second' });
  issuer.removeKey('first');
  await waitFor(async () => (await statusWith(gateway, next)) === 200, { until: 'the next fetch' });
  t.equal(await statusWith(gateway, token), 401);
});

t.test('many who wait share one fetch', async (t) => {
  const keys = await startKeyServer(t);
  keys.respondWith(async (response) => {
    await pause(300);
    response.end(JSON.stringify({ keys: keys.published }));
  });
  const gateway = await startGateway(t, { issuer: keys });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, jti) => keys.token({ sub: user.identityProviderId, jti: String(jti) })),
  );
  const statuses = await Promise.all(tokens.map((token) => statusWith(gateway, token)));
  t.ok(statuses.every((status) => status === 200));
  t.equal(keys.fetches(), 1);
});

t.test('a key set that is something else is none', async (t) => {
  const elsewhere = await startKeyServer(t);
  const misdeeds: [string, (response: import('node:http').ServerResponse) => unknown][] = [
    ['a redirect', (response) => response.writeHead(302, { location: elsewhere.jwksUrl }).end()],
    ['no JSON', (response) => response.end('<html>')],
    ['no list', (response) => response.end('{"keys":{}}')],
    ['null', (response) => response.end('null')],
    ['a refusal', (response) => response.writeHead(403).end(JSON.stringify({ keys: elsewhere.published }))],
    ['endless', (response) => response.end(Buffer.alloc(600 * 1_024, ' '))],
  ];
  for (const [name, misdeed] of misdeeds) {
    const keys = await startKeyServer(t);
    keys.respondWith(misdeed);
    const gateway = await startGateway(t, { issuer: keys });
    t.equal(await statusWith(gateway, await elsewhere.token({ iss: keys.issuer, sub: 'somebody' })), 503, name);
  }
  t.equal(elsewhere.fetches(), 0, 'nobody follows a redirect');
});

t.test('keys for other uses, weak ones and private ones verify nothing', async (t) => {
  const keys = await startKeyServer(t);
  const [good] = keys.published;
  const flaws: [string, object][] = [
    ['for encryption', { use: 'enc' }],
    ['for signing only', { key_ops: ['sign'] }],
    ['for another algorithm', { alg: 'RS512' }],
    ['with a private half', { d: 'AQAB' }],
    ['without an id', { kid: undefined }],
    ['with an exponent of one', { e: 'AQ' }],
    ['of 1024 bits', { n: Buffer.alloc(128, 255).toString('base64url') }],
    ['with no modulus', { n: undefined }],
    ['of another family', { kty: 'oct', k: 'AAAA' }],
  ];
  for (const [name, flaw] of flaws) {
    const flawed = await startKeyServer(t);
    flawed.published.splice(0, 1, { ...flawed.published[0], ...flaw }, { ...good, kid: 'another' });
    const gateway = await startGateway(t, { issuer: flawed });
    t.equal(await statusWith(gateway, await flawed.token({ sub: 'somebody' })), 401, name);
  }
});

t.test('a provider out of reach does not hinder the start', async (t) => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const gateway = await startGateway(t, { issuer: { issuer, jwksUrl: `${issuer}/jwks`, token: async () => '' } });
  t.equal((await gateway.send('/api/education/levels')).status, 200);
  t.match((await gateway.send('/readyz')).json, { status: 'degraded', checks: { keys: 'unavailable' } });
});
