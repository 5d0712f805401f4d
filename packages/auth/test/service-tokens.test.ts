import { passportHeader, serviceTokenHeader } from '@lms/contracts/passport';
import { createServer } from '@lms/service/create-server';
import { passportHeaders, testPassportKey, testPrincipal, testServiceSecret } from '@lms/testing/principals';
import { createSigner } from 'fast-jwt';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { causeOf, passports } from '../src/passports.ts';
import { requireRole } from '../src/require-role.ts';
import { createServiceTokens } from '../src/service-tokens.ts';

async function buildApp(t: Test, serviceSecret?: string) {
  const app = createServer({ logger: Fastify().log });
  await app.register(passports, { publicKey: testPassportKey, ...(serviceSecret && { serviceSecret }) });
  requireRole(app, 'ADMIN');
  app.get('/internal/files', { config: { acceptsServiceTokens: true } }, async (request) => ({
    userId: request.principal?.userId,
    isService: request.isService,
    actorId: causeOf(request).actorId,
  }));
  app.get('/api/files', { config: { acceptsServiceTokens: true } }, async () => ({}));
  app.get('/internal/others', async () => ({}));
  t.teardown(() => app.close());
  return app;
}

const now = () => Math.floor(Date.now() / 1_000);
const { userId } = testPrincipal();
const tokens = createServiceTokens(testServiceSecret);
const headersOf = (token: string | undefined) => ({ [serviceTokenHeader]: token ?? '' });

t.test('a service acts for a user, where a route accepts that', async (t) => {
  const app = await buildApp(t, testServiceSecret);
  const { serviceToken, requestId } = tokens.callContext(userId, 'request-0001');
  t.equal(requestId, 'request-0001');
  const accepted = await app.inject({ url: '/internal/files', headers: headersOf(serviceToken) });
  t.same(accepted.json(), { userId, isService: true, actorId: userId });
  t.equal((await app.inject({ url: '/internal/others', headers: headersOf(serviceToken) })).statusCode, 401);
  t.equal((await app.inject('/internal/files')).statusCode, 401);
});

t.test('a passport of an administrator is accepted on the same routes', async (t) => {
  const app = await buildApp(t, testServiceSecret);
  const headers = passportHeaders(testPrincipal(['ADMIN']));
  t.match((await app.inject({ url: '/internal/files', headers })).json(), { isService: false });
});

t.test('expired, foreign and forged tokens are refused', async (t) => {
  const app = await buildApp(t, testServiceSecret);
  const claims = { iss: 'lms-service', aud: 'lms-internal', sub: userId };
  const sign = (given: Record<string, unknown>, key = testServiceSecret) =>
    createSigner({ key, algorithm: 'HS256' })({ ...claims, exp: now() + 60, ...given });
  t.equal((await app.inject({ url: '/internal/files', headers: headersOf(sign({})) })).statusCode, 200);
  const refused = {
    'another secret': sign({}, 'another secret of at least 32 characters'),
    expired: sign({ exp: now() - 6 * 3_600 - 60 }),
    'another issuer': sign({ iss: 'lms-gateway' }),
    'another audience': sign({ aud: 'lms' }),
    'no user': sign({ sub: 'not an id' }),
    'no expiry': createSigner({ key: testServiceSecret, algorithm: 'HS256' })(claims),
    'no signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${sign({}).split('.')[1]}.`,
    'a passport': passportHeaders(testPrincipal(['ADMIN']))[passportHeader],
    empty: '',
  };
  for (const [name, token] of Object.entries(refused))
    t.equal((await app.inject({ url: '/internal/files', headers: headersOf(token) })).statusCode, 401, name);
});

t.test('internal routes accept a token at the end of a long upload, other routes do not', async (t) => {
  const app = await buildApp(t, testServiceSecret);
  const claims = { iss: 'lms-service', aud: 'lms-internal', sub: userId, exp: now() - 3_600 };
  const token = createSigner({ key: testServiceSecret, algorithm: 'HS256' })(claims);
  t.equal((await app.inject({ url: '/internal/files', headers: headersOf(token) })).statusCode, 200);
  t.equal((await app.inject({ url: '/api/files', headers: headersOf(token) })).statusCode, 401);
  const { serviceToken } = tokens.callContext(userId, 'request-0001');
  t.equal((await app.inject({ url: '/api/files', headers: headersOf(serviceToken) })).statusCode, 200);
});

t.test('without the secret no token is accepted', async (t) => {
  const app = await buildApp(t);
  const { serviceToken } = tokens.callContext(userId, 'request-0001');
  t.equal((await app.inject({ url: '/internal/files', headers: headersOf(serviceToken) })).statusCode, 401);
});
