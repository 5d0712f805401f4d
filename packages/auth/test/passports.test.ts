import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { passportAudience, passportHeader, passportIssuer } from '@lms/contracts/passport';
import { createServer } from '@lms/service/create-server';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { createPassportKeys, publicKeyOf } from '../src/passport-keys.ts';
import { caller, causeOf, passports } from '../src/passports.ts';
import { createPassportSigner } from '../src/sign-passport.ts';

async function buildApp(t: Test, publicKey = testPassportKey) {
  const app = createServer({ logger: Fastify().log });
  await app.register(passports, { publicKey });
  for (const url of ['/api/who', '/internal/who'])
    app.get(url, async (request) => ({
      principal: request.principal,
      isGateway: request.isGateway,
      age: Math.round(request.passportAgeSeconds),
      cause: causeOf(request),
    }));
  app.get('/api/mine', async (request) => caller(request).userId);
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
  requestId: 'request-0001',
  principal: testPrincipal(),
});

t.test('without a passport a caller is anonymous', async (t) => {
  const app = await buildApp(t);
  const answer = await app.inject({ url: '/api/who', headers: { 'x-request-id': 'request-0001' } });
  t.same(answer.json(), {
    principal: null,
    isGateway: false,
    age: 0,
    cause: { actorId: null, requestId: 'request-0001', traceparent: null },
  });
  const refused = await app.inject('/api/mine');
  t.equal(refused.statusCode, 401);
  t.equal(refused.headers['www-authenticate'], 'Bearer');
  t.match(refused.json(), { success: false, error: 'Authentication required', code: 'UNAUTHORIZED' });
});

t.test('a passport says who is calling', async (t) => {
  const app = await buildApp(t);
  const ada = testPrincipal(['MENTOR', 'LEARNER'], { firstName: null, status: 'SUSPENDED', plan: 'PRO' });
  const answer = (await app.inject({ url: '/api/who', headers: passportHeaders(ada) })).json();
  t.same(answer.principal, ada);
  t.match(answer, { isGateway: false, cause: { actorId: ada.userId } });
});

t.test("the gateway's own passport names nobody", async (t) => {
  const app = await buildApp(t);
  const answer = (await app.inject({ url: '/internal/who', headers: passportHeaders(null) })).json();
  t.match(answer, { principal: null, isGateway: true, cause: { actorId: null } });
  t.equal((await app.inject({ url: '/api/mine', headers: passportHeaders(null) })).statusCode, 401);
});

t.test('what the gateway signs, a service accepts, and only with its own key', async (t) => {
  const { privateKey, publicKey } = createPassportKeys();
  t.equal(publicKeyOf(privateKey), publicKey);
  const app = await buildApp(t, publicKey);
  const principal = testPrincipal(['ADMIN']);
  const passport = createPassportSigner(privateKey)({ principal, requestId: 'request-0001' });
  const answer = await app.inject({ url: '/api/who', headers: { [passportHeader]: passport } });
  t.same(answer.json().principal, principal);
  t.equal(
    (await app.inject({ url: '/api/who', headers: passportHeaders(principal) })).statusCode,
    401,
    'of another key',
  );
});

t.test('a passport that is forged, foreign, stale or broken is a 401, on open routes too', async (t) => {
  const app = await buildApp(t);
  const good = passportHeaders(testPrincipal())[passportHeader] ?? '';
  const [header = '', payload = '', signature = ''] = good.split('.');
  const withHeader = (made: object, sealed: (text: string) => string) => {
    const text = `${encode(made)}.${encode(claims())}`;
    return `${text}.${sealed(text)}`;
  };
  const hmac = (key: string | Buffer) => (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const foreign = generateKeyPairSync('ed25519').privateKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const der = createPublicKey(testPassportKey).export({ type: 'spki', format: 'der' });
  const flawed = (given: Record<string, unknown>) =>
    passportHeaders(testPrincipal(), { claims: given })[passportHeader] ?? '';

  const passes = {
    'no word of it': 'garbage',
    empty: '',
    'dots alone': '..',
    'cut off': good.slice(0, -4),
    'without a signature': `${header}.${payload}.`,
    'with another signature': `${header}.${payload}.${'A'.repeat(signature.length)}`,
    'with another content': `${header}.${encode(claims())}.${signature}`,
    'signed by somebody else': withHeader({ alg: 'EdDSA', typ: 'JWT' }, (text) =>
      sign(null, Buffer.from(text), foreign).toString('base64url'),
    ),
    'alg none': withHeader({ alg: 'none', typ: 'JWT' }, () => ''),
    'alg NONE': withHeader({ alg: 'NONE' }, () => ''),
    'HS256 with the public key as secret': withHeader({ alg: 'HS256' }, hmac(testPassportKey)),
    'HS256 with the public key in DER': withHeader({ alg: 'HS256' }, hmac(der)),
    'HS256 without a secret': withHeader({ alg: 'HS256' }, hmac('')),
    RS256: withHeader({ alg: 'RS256' }, (text) => sign('sha256', Buffer.from(text), rsa).toString('base64url')),
    'of another issuer': flawed({ iss: 'somebody' }),
    'of no issuer': flawed({ iss: undefined }),
    'for another audience': flawed({ aud: 'others' }),
    'for no audience': flawed({ aud: undefined }),
    'expired 6 s ago': flawed({ iat: now() - 66, exp: now() - 6 }),
    'without an end': flawed({ exp: undefined }),
    'with an odd end': flawed({ exp: 'tomorrow' }),
    'without a beginning': flawed({ iat: undefined }),
    'from the future': flawed({ iat: now() + 60, exp: now() + 120 }),
    'about nobody in particular': flawed({ principal: undefined }),
    'about something else': flawed({ principal: 'admin' }),
    'with a role that does not exist': flawed({ principal: { ...testPrincipal(), roles: ['ROOT'] } }),
    'with half a principal': flawed({ principal: { userId: testPrincipal().userId, roles: ['ADMIN'] } }),
    'with an id that cannot exist': flawed({ principal: testPrincipal(['ADMIN'], { userId: '1' }) }),
    'sent twice': [good, good],
    'sent twice, in one line': `${good}, ${good}`,
  };
  for (const [what, passport] of Object.entries(passes)) {
    const answer = await app.inject({ url: '/api/who', headers: { [passportHeader]: passport } });
    t.equal(answer.statusCode, 401, what);
    t.match(answer.json(), { error: 'Invalid or expired token', code: 'UNAUTHORIZED', requestId: String }, what);
    t.equal(answer.headers['www-authenticate'], 'Bearer');
  }
  t.equal((await app.inject({ url: '/nowhere', headers: { [passportHeader]: 'x' } })).statusCode, 401);
});

t.test('clocks may differ by five seconds', async (t) => {
  const app = await buildApp(t);
  for (const age of [-4, 62, 64]) {
    const answer = await app.inject({ url: '/api/who', headers: passportHeaders(testPrincipal(), { age }) });
    t.equal(answer.statusCode, 200, `${age} s old`);
  }
});

t.test('an old passport is good for internal routes alone, which are told how old it is', async (t) => {
  const app = await buildApp(t);
  const hours = (count: number) => passportHeaders(testPrincipal(), { age: count * 3_600 });
  const internal = await app.inject({ url: '/internal/who', headers: hours(5) });
  t.equal(internal.statusCode, 200);
  t.ok(Math.abs(internal.json().age - 5 * 3_600) <= 2);
  t.equal((await app.inject({ url: '/internal/who', headers: hours(7) })).statusCode, 401);
  t.equal((await app.inject({ url: '/api/who', headers: hours(5) })).statusCode, 401);
  for (const url of ['//internal/who', '/%69nternal/who', '/api/who?/internal/'])
    t.ok([401, 404].includes((await app.inject({ url, headers: hours(5) })).statusCode), url);
});

t.test('requests do not get at each other’s callers', async (t) => {
  const app = await buildApp(t);
  const people = Array.from({ length: 50 }, () => testPrincipal());
  const answers = await Promise.all(
    people.map((one, index) => app.inject({ url: '/api/who', headers: index % 2 ? passportHeaders(one) : {} })),
  );
  for (const [index, answer] of answers.entries())
    t.equal(answer.json().principal?.userId, index % 2 ? people[index]?.userId : undefined);
});

t.test('passports of the same caller differ in their requests alone', async (t) => {
  const { privateKey, publicKey } = createPassportKeys();
  const app = await buildApp(t, publicKey);
  const sign = createPassportSigner(privateKey);
  // Heads of every length: each is padded to what base64url can continue.
  for (const firstName of ['Zo', 'Zoë', 'Zoë "Z"', null]) {
    const principal = { ...testPrincipal(), firstName };
    for (const requestId of ['request-0001', 'request-0002']) {
      const passport = sign({ principal, requestId });
      t.match(passport, /^[\w-]+\.[\w-]+\.[\w-]+$/);
      const answer = await app.inject({ url: '/api/who', headers: { [passportHeader]: passport } });
      t.same(answer.json().principal, principal);
      const claims = JSON.parse(Buffer.from(passport.split('.')[1] ?? '', 'base64url').toString());
      t.match(claims, { requestId, sub: principal.userId, exp: claims.iat + 60 });
    }
  }
});
