import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { passportAudience, passportHeader, passportIssuer } from '@lms/contracts/passport';
import { createServer } from '@lms/service/create-server';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { createPassportKeys, publicKeyOf } from '../src/passport-keys.ts';
import { caller, causeOf, passports } from '../src/passports.ts';
import { createPassportSigner } from '../src/sign-passport.ts';

async function buildApp(t: Test, publicKey = testPassportKey) {
  const app = createServer({ logger: Fastify().log });
  await app.register(passports, { publicKey });
  for (const url of ['/api/caller', '/internal/caller'])
    app.get(url, async (request) => ({
      principal: request.principal,
      tokenClaims: request.tokenClaims,
      isGateway: request.isGateway,
      age: Math.round(request.passportAgeSeconds),
      cause: causeOf(request),
    }));
  app.get('/api/own', async (request) => caller(request).userId);
  t.teardown(() => app.close());
  return app;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1_000);
const claims = () => ({
  iss: passportIssuer,
  aud: passportAudience,
  sub: 'x',
  iat: now(),
  exp: now() + 60,
  principal: testPrincipal(),
});

t.test('a caller without a passport is anonymous', async (t) => {
  const app = await buildApp(t);
  const response = await app.inject({ url: '/api/caller', headers: { 'x-request-id': 'request-0001' } });
  t.same(response.json(), {
    principal: null,
    tokenClaims: null,
    isGateway: false,
    age: 0,
    cause: { actorId: null, requestId: 'request-0001', traceparent: null },
  });
  const refused = await app.inject('/api/own');
  t.equal(refused.statusCode, 401);
  t.equal(refused.headers['www-authenticate'], 'Bearer');
  t.match(refused.json(), { success: false, error: 'Authentication required', code: 'UNAUTHORIZED' });
});

t.test('a passport identifies the caller', async (t) => {
  const app = await buildApp(t);
  const ada = testPrincipal(['MENTOR', 'LEARNER'], { firstName: null, status: 'SUSPENDED', plan: 'PRO' });
  const response = (await app.inject({ url: '/api/caller', headers: passportHeaders(ada) })).json();
  t.same(response.principal, ada);
  t.match(response, { isGateway: false, cause: { actorId: ada.userId } });
});

t.test("the gateway's own passport has no principal", async (t) => {
  const app = await buildApp(t);
  const response = (await app.inject({ url: '/internal/caller', headers: passportHeaders(null) })).json();
  t.match(response, { principal: null, isGateway: true, cause: { actorId: null } });
  t.equal((await app.inject({ url: '/api/own', headers: passportHeaders(null) })).statusCode, 401);
});

t.test(
  'a passport can have the claims of a token without an account, which is neither a caller nor the gateway',
  async (t) => {
    const app = await buildApp(t);
    const tokenClaims = { identityProviderId: 'x', email: null, emailVerified: false, firstName: null, lastName: null };
    const withClaims = (given: unknown) => ({ headers: passportHeaders(null, { claims: { tokenClaims: given } }) });
    const response = await app.inject({ url: '/internal/caller', ...withClaims(tokenClaims) });
    t.match(response.json(), { principal: null, tokenClaims, isGateway: false });
    t.equal((await app.inject({ url: '/api/own', ...withClaims(tokenClaims) })).statusCode, 401);
    t.equal((await app.inject({ url: '/api/caller', ...withClaims({ identityProviderId: 'x' }) })).statusCode, 401);
  },
);

t.test('a service accepts passports that were signed with the matching key only', async (t) => {
  const { privateKey, publicKey } = createPassportKeys();
  t.equal(publicKeyOf(privateKey), publicKey);
  const app = await buildApp(t, publicKey);
  const principal = testPrincipal(['ADMIN']);
  const passport = createPassportSigner(privateKey)(principal);
  const response = await app.inject({ url: '/api/caller', headers: { [passportHeader]: passport } });
  t.same(response.json().principal, principal);
  t.equal(
    (await app.inject({ url: '/api/caller', headers: passportHeaders(principal) })).statusCode,
    401,
    'signed with another key',
  );
});

t.test('a forged, foreign, expired or malformed passport gets a 401, on public routes too', async (t) => {
  const app = await buildApp(t);
  const good = passportHeaders(testPrincipal())[passportHeader] ?? '';
  const [header = '', payload = '', signature = ''] = good.split('.');
  const withHeader = (header: object, signText: (text: string) => string) => {
    const text = `${encode(header)}.${encode(claims())}`;
    return `${text}.${signText(text)}`;
  };
  const hmac = (key: string | Buffer) => (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const foreign = generateKeyPairSync('ed25519').privateKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const der = createPublicKey(testPassportKey).export({ type: 'spki', format: 'der' });
  const withClaims = (overrides: Record<string, unknown>) =>
    passportHeaders(testPrincipal(), { claims: overrides })[passportHeader] ?? '';

  const passes = {
    'not a JWT': 'garbage',
    empty: '',
    'only dots': '..',
    truncated: good.slice(0, -4),
    'without a signature': `${header}.${payload}.`,
    'with another signature': `${header}.${payload}.${'A'.repeat(signature.length)}`,
    'with other claims': `${header}.${encode(claims())}.${signature}`,
    'signed with another key': withHeader({ alg: 'EdDSA', typ: 'JWT' }, (text) =>
      sign(null, Buffer.from(text), foreign).toString('base64url'),
    ),
    'alg none': withHeader({ alg: 'none', typ: 'JWT' }, () => ''),
    'alg NONE': withHeader({ alg: 'NONE' }, () => ''),
    'HS256 with the public key as secret': withHeader({ alg: 'HS256' }, hmac(testPassportKey)),
    'HS256 with the public key in DER': withHeader({ alg: 'HS256' }, hmac(der)),
    'HS256 without a secret': withHeader({ alg: 'HS256' }, hmac('')),
    RS256: withHeader({ alg: 'RS256' }, (text) => sign('sha256', Buffer.from(text), rsa).toString('base64url')),
    'of another issuer': withClaims({ iss: 'unknown' }),
    'of no issuer': withClaims({ iss: undefined }),
    'for another audience': withClaims({ aud: 'others' }),
    'for no audience': withClaims({ aud: undefined }),
    'expired 6 s ago': withClaims({ iat: now() - 66, exp: now() - 6 }),
    'without exp': withClaims({ exp: undefined }),
    'with a malformed exp': withClaims({ exp: 'tomorrow' }),
    'without iat': withClaims({ iat: undefined }),
    'from the future': withClaims({ iat: now() + 60, exp: now() + 120 }),
    'without a principal': withClaims({ principal: undefined }),
    'with a principal that is not an object': withClaims({ principal: 'admin' }),
    'with a role that does not exist': withClaims({ principal: { ...testPrincipal(), roles: ['ROOT'] } }),
    'with an incomplete principal': withClaims({ principal: { userId: testPrincipal().userId, roles: ['ADMIN'] } }),
    'with an impossible id': withClaims({ principal: testPrincipal(['ADMIN'], { userId: '1' }) }),
    'sent twice': [good, good],
    'sent twice in one header line': `${good}, ${good}`,
  };
  for (const [name, passport] of Object.entries(passes)) {
    const response = await app.inject({ url: '/api/caller', headers: { [passportHeader]: passport } });
    t.equal(response.statusCode, 401, name);
    t.match(response.json(), { error: 'Invalid or expired token', code: 'UNAUTHORIZED', requestId: String }, name);
    t.equal(response.headers['www-authenticate'], 'Bearer');
  }
  t.equal((await app.inject({ url: '/nowhere', headers: { [passportHeader]: 'x' } })).statusCode, 401);
});

t.test('a passport in use is accepted if the clocks differ by up to 30 seconds', async (t) => {
  const app = await buildApp(t);
  // Signed up to 20 seconds ago, by a clock 30 seconds ahead or behind.
  for (const age of [-29, 0, 20, 50, 60]) {
    const response = await app.inject({ url: '/api/caller', headers: passportHeaders(testPrincipal(), { age }) });
    t.equal(response.statusCode, 200, `${age} s old`);
  }
  t.equal(
    (await app.inject({ url: '/api/caller', headers: passportHeaders(testPrincipal(), { age: -40 }) })).statusCode,
    401,
  );
});

t.test('a cached passport is refused after it has expired', async (t) => {
  const app = await buildApp(t);
  const passport = passportHeaders(testPrincipal(), { claims: { iat: now() - 62, exp: now() - 2 } });
  const statusOf = async () => (await app.inject({ url: '/api/caller', headers: passport })).statusCode;
  t.equal(await statusOf(), 200);
  await waitFor(async () => (await statusOf()) === 401, { until: 'expiry and tolerance' });
});

t.test('only internal routes accept an expired passport, and they can read its age', async (t) => {
  const app = await buildApp(t);
  const hours = (count: number) => passportHeaders(testPrincipal(), { age: count * 3_600 });
  const internal = await app.inject({ url: '/internal/caller', headers: hours(5) });
  t.equal(internal.statusCode, 200);
  t.ok(Math.abs(internal.json().age - 5 * 3_600) <= 60);
  t.equal((await app.inject({ url: '/internal/caller', headers: hours(7) })).statusCode, 401);
  t.equal((await app.inject({ url: '/api/caller', headers: hours(5) })).statusCode, 401);
  for (const url of ['//internal/caller', '/%69nternal/caller', '/api/caller?/internal/'])
    t.ok([401, 404].includes((await app.inject({ url, headers: hours(5) })).statusCode), url);
});

t.test('concurrent requests never see the principal of another request', async (t) => {
  const app = await buildApp(t);
  const principals = Array.from({ length: 50 }, () => testPrincipal());
  const responses = await Promise.all(
    principals.map((principal, index) =>
      app.inject({ url: '/api/caller', headers: index % 2 ? passportHeaders(principal) : {} }),
    ),
  );
  for (const [index, response] of responses.entries())
    t.equal(response.json().principal?.userId, index % 2 ? principals[index]?.userId : undefined);
});

t.test('a passport can be used for many requests', async (t) => {
  const { privateKey, publicKey } = createPassportKeys();
  const app = await buildApp(t, publicKey);
  for (const firstName of ['Zo\u00eb "Z"', null]) {
    const principal = { ...testPrincipal(), firstName };
    const passport = createPassportSigner(privateKey)(principal);
    for (let times = 0; times < 3; times += 1) {
      const response = await app.inject({ url: '/api/caller', headers: { [passportHeader]: passport } });
      t.same(response.json().principal, principal);
    }
  }
});
