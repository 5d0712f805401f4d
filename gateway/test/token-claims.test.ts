import { mock } from 'node:test';
import { testPrincipal } from '@lms/testing/principals';
import { importJWK } from 'jose';
import t from 'tap';
import { verifyToken } from '../src/tokens/verify-token.ts';
import { startKeyServer } from './key-server.ts';
import { startGateway } from './start-gateway.ts';
import { startTokenGateway } from './start-token-gateway.ts';

const gateway = await startTokenGateway(t);
const now = () => Math.floor(Date.now() / 1_000);

// The first test, because no principal may be cached.
t.test('claims that are wrong, early, late, missing or of the wrong type return 401', async (t) => {
  const { issuer, claims, sendToken, upstream } = gateway;
  const bad: Record<string, unknown>[] = [
    { iss: `${claims.iss}/` },
    { iss: claims.iss.toUpperCase() },
    { iss: [claims.iss] },
    { iss: undefined },
    { exp: now() - 10 },
    { exp: undefined },
    { exp: String(now() + 600) },
    { exp: null },
    { iat: undefined },
    { iat: now() + 30 },
    { iat: 'yesterday' },
    { nbf: now() + 30 },
    { nbf: 'soon' },
    { sub: undefined },
    { sub: '' },
    { sub: 7 },
    { sub: ['a'] },
    { sub: null },
    { sub: 'a'.repeat(256) },
    { sub: 'a\u0000b' },
    { sub: 'a\nb' },
    { sub: 'a\u202eb' },
    { sub: ` ${claims.sub}` },
    { sub: `${claims.sub} ` },
    { sub: 'e\u0301' },
    // A hundred combining marks after a letter are accepted nowhere.
    { sub: `x${'\u0315'.repeat(101)}` },
  ];
  for (const more of bad) {
    const { status, json, headers } = await sendToken(`Bearer ${issuer.sign({ ...claims, ...more })}`);
    t.equal(status, 401, JSON.stringify(more));
    t.match(json, { code: 'UNAUTHORIZED', error: 'Invalid or expired token' });
    t.equal(headers['www-authenticate'], 'Bearer');
  }
  t.equal(upstream.principalRequests.length, 0, 'none of them causes a request to identity');
});

t.test('a valid token is accepted, whatever other claims it has', async (t) => {
  const { issuer, claims, statusOf } = gateway;
  const good: Record<string, unknown>[] = [
    {},
    { aud: 'another-api' },
    { nbf: now() },
    { exp: 4_102_444_800.5 },
    { email: 12, email_verified: 'yes', given_name: 'x'.repeat(300) },
    { roles: ['ADMIN'], status: 'SUSPENDED' },
  ];
  for (const more of good)
    t.equal(await statusOf(await issuer.token({ ...claims, ...more })), 200, JSON.stringify(more));
});

t.test('names that identity would refuse are ignored', async (t) => {
  const { issuer, claims, sendToken, upstream } = gateway;
  const names = { given_name: `A${'\u0315'.repeat(101)}`, family_name: 'a\u0000b' };
  await sendToken(`Bearer ${issuer.sign({ ...claims, sub: 'odd-names', ...names })}`);
  t.match(upstream.principalRequests.at(-1), { identityProviderId: 'odd-names', firstName: null, lastName: null });
});

t.test('times are accepted within the tolerance for clock differences', async (t) => {
  const { issuer, sign, publicKey } = await startKeyServer(t);
  const key = await importJWK(publicKey.export({ format: 'jwk' }), 'RS256');
  if (key instanceof Uint8Array) throw new Error('not an RSA key');
  const provider = { issuer, audience: undefined, findKey: async () => key };
  const clock = 1_000_000;
  const isAccepted = (times: object) =>
    verifyToken(
      sign({ iss: issuer, sub: 'a', iat: clock, exp: clock + 600, ...times }),
      provider,
      new Date(clock * 1_000),
    ).then(
      () => true,
      () => false,
    );
  for (const times of [{ exp: clock - 4.9 }, { iat: clock + 5 }, { nbf: clock + 5 }])
    t.ok(await isAccepted(times), JSON.stringify(times));
  for (const times of [{ exp: clock - 5 }, { iat: clock + 5.1 }, { nbf: clock + 5.1 }])
    t.notOk(await isAccepted(times), JSON.stringify(times));
});

t.test('passports and cached tokens follow the time of day, also after the machine slept', async (t) => {
  const { send, authHeaders, upstream } = await startGateway(t);
  const headers = await authHeaders(testPrincipal());
  const get = async () => (await send('/api/enrollment', { headers })).status;
  const issuedAt = () => {
    const passport = String(upstream.lastRequest()?.headers['x-lms-identity']);
    return JSON.parse(Buffer.from(String(passport.split('.')[1]), 'base64url').toString()).iat;
  };
  t.equal(await get(), 200);
  const first = issuedAt();
  t.teardown(() => mock.timers.reset());
  for (const seconds of [120, -120]) {
    mock.timers.enable({ apis: ['Date'], now: (first + seconds) * 1_000 });
    t.equal(await get(), 200);
    t.equal(issuedAt(), first + seconds);
    mock.timers.reset();
  }
  // Less than the 24 hours after which the keys are too old.
  mock.timers.enable({ apis: ['Date'], now: (first + 12 * 3_600) * 1_000 });
  t.equal(await get(), 401, 'the token has expired');
});

t.test('if an audience is configured, a token must name it', async (t) => {
  const { issuer, claims, statusOf } = await startTokenGateway(t, { IDP_AUDIENCE: 'lms' });
  const cases: [number, Record<string, unknown>][] = [
    [200, { aud: 'lms' }],
    [200, { aud: ['other', 'lms'] }],
    [200, { azp: 'lms' }],
    [401, {}],
    [401, { aud: 'other' }],
    [401, { aud: ['other'] }],
    [401, { aud: 'other', azp: 'lms' }],
    [401, { aud: [], azp: 'lms' }],
    [401, { aud: { lms: true } }],
    [401, { azp: 'other' }],
    [401, { azp: ['lms'] }],
    [401, { aud: 'LMS' }],
  ];
  for (const [status, more] of cases)
    t.equal(await statusOf(issuer.sign({ ...claims, ...more })), status, JSON.stringify(more));
});

t.test('payloads that are not JSON objects return 401', async (t) => {
  const { issuer, statusOf } = gateway;
  for (const payload of ['null', '[]', '"text"', '1', '{', '', '\u0000', '{"exp":1e999}'])
    t.equal(await statusOf(issuer.sign(payload)), 401, payload);
});
