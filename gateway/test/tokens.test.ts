import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { testPrincipal } from '@lms/testing/principals';
import { startTokenIssuer } from '@lms/testing/token-issuer';
import t from 'tap';
import { encode } from './key-server.ts';
import { startGateway } from './start-gateway.ts';
import { startTokenGateway } from './start-token-gateway.ts';

const gateway = await startTokenGateway(t);
const path = '/api/enrollment';

t.test('RS256, ES256 and EdDSA are accepted, other algorithms are not', async (t) => {
  const issuer = await startTokenIssuer(t);
  const algorithms = ['RS256', 'ES256', 'EdDSA', 'RS384', 'RS512', 'PS256', 'ES384', 'ES512'];
  for (const algorithm of algorithms) await issuer.addKey(algorithm, algorithm);
  const { send, upstream } = await startGateway(t, { issuer });
  const user = testPrincipal();
  upstream.principals.set(user.identityProviderId, user);
  for (const alg of algorithms) {
    const token = await issuer.token({ sub: user.identityProviderId }, { kid: alg, alg });
    const { status } = await send(path, { headers: { authorization: `Bearer ${token}` } });
    t.equal(status, ['RS256', 'ES256', 'EdDSA'].includes(alg) ? 200 : 401, alg);
  }
});

t.test('headers that ask for another algorithm, key or format return 401', async (t) => {
  const { issuer, claims, statusOf } = gateway;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const good = await issuer.token(claims);
  const [, , signature = ''] = good.split('.');
  const payload = encode(claims);
  const headers: [string, unknown][] = [
    ['no algorithm', { alg: 'none', kid: 'first' }],
    ['nOnE', { alg: 'nOnE', kid: 'first' }],
    ['no alg member', { kid: 'first' }],
    ['an alg that is not a string', { alg: ['RS256'], kid: 'first' }],
    ['RS384', { alg: 'RS384', kid: 'first' }],
    ['ES256 with the RSA key', { alg: 'ES256', kid: 'first' }],
    ['no kid', { alg: 'RS256' }],
    ['a kid that is not a string', { alg: 'RS256', kid: 1 }],
    ['an unknown kid', { alg: 'RS256', kid: 'second' }],
    ['a kid with a path', { alg: 'RS256', kid: '../first' }],
    ['a kid that names an object property', { alg: 'RS256', kid: '__proto__' }],
    ['another typ', { alg: 'RS256', kid: 'first', typ: 'JOSE' }],
    ['a typ in lower case', { alg: 'RS256', kid: 'first', typ: 'jwt' }],
    ['an ID token', { alg: 'RS256', kid: 'first', typ: 'id_token+jwt' }],
    ['a critical extension', { alg: 'RS256', kid: 'first', crit: ['exp'], exp: 1 }],
    ['an unencoded payload', { alg: 'RS256', kid: 'first', b64: false, crit: ['b64'] }],
    ['an embedded key', { alg: 'RS256', kid: 'mine', jwk: privateKey.export({ format: 'jwk' }) }],
    ['an embedded key set URL', { alg: 'RS256', kid: 'mine', jku: 'http://127.0.0.1:1/jwks' }],
    ['an embedded certificate', { alg: 'RS256', kid: 'mine', x5u: 'http://127.0.0.1:1/x', x5c: ['MIIB'] }],
    ['encryption', { alg: 'RSA-OAEP', enc: 'A256GCM', kid: 'first' }],
  ];
  for (const [name, header] of headers) {
    const signingInput = `${encode(header)}.${payload}`;
    const own = sign('sha256', Buffer.from(signingInput), privateKey).toString('base64url');
    for (const one of [own, signature, ''])
      t.equal(await statusOf(`${signingInput}.${one}`), 401, `${name}, ${one.length}`);
  }
  for (const typ of ['JWT', 'at+jwt']) t.equal(await statusOf(issuer.sign(claims, { typ })), 200, `typ ${typ}`);
  t.equal(await statusOf(good), 200);
});

t.test('HMACs made with the published RSA key are not accepted', async (t) => {
  const { issuer, claims, statusOf } = gateway;
  const key = issuer.publicKey;
  const secrets = [
    key.export({ type: 'spki', format: 'pem' }),
    key.export({ type: 'spki', format: 'der' }),
    key.export({ type: 'pkcs1', format: 'pem' }),
    JSON.stringify(issuer.published[0]),
    key.export({ format: 'jwk' }).n ?? '',
  ];
  for (const secret of secrets) {
    const input = `${encode({ alg: 'HS256', kid: 'first', typ: 'JWT' })}.${encode(claims)}`;
    t.equal(await statusOf(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`), 401);
  }
});

t.test('a token in any other encoding than its issuer sent returns 401', async (t) => {
  const { issuer, claims, sendToken } = gateway;
  const token = issuer.sign(claims);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const last = signature.at(-1) ?? '';
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = alphabet[alphabet.indexOf(last) ^ 1] ?? '';
  const spellings = [
    `${header}.${payload}.${signature.slice(0, -1)}${twin}`,
    `${header}.${payload}.${signature}=`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}.${signature}.`,
    `${header}.${payload}.${signature}.${signature}`,
    `.${payload}.${signature}`,
    `${header}..${signature}`,
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${header}.${payload}.${signature.slice(0, -8)}`,
    `${header}.${payload}.${signature}AAAA`,
    `${payload}.${header}.${signature}`,
    `${header}.${encode({ ...claims, sub: 'another-user' })}.${signature}`,
    `${header}.${payload} .${signature}`,
    `${header}. ${payload}.${signature}`,
    `${header}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}+`,
    JSON.stringify({ protected: header, payload, signature }),
    '',
    'null',
    'undefined',
    '...',
    'a'.repeat(9_000),
  ];
  for (const spelling of spellings) t.equal((await sendToken(`Bearer ${spelling}`)).status, 401, spelling.slice(-40));
  for (const authorization of [
    `Basic ${token}`,
    token,
    `Bearer  ${token}`,
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Bearer ${token},`,
    'Bearer',
    '',
  ])
    t.equal((await sendToken(authorization)).status, 401, authorization.slice(0, 12));
  t.equal((await sendToken([`Bearer ${token}`, `Bearer ${token}`])).status, 401, 'twice');
  t.equal((await sendToken([`Bearer ${token}`, 'Bearer a.b.c'])).status, 401, 'two different ones');
  t.equal((await sendToken(`Bearer ${token}`)).status, 200);
  t.equal((await sendToken(`bearer ${token}`)).status, 200, 'the scheme is case-insensitive');
});

t.test('a token of 8 KiB is accepted, a longer one returns 401', async (t) => {
  const { issuer, claims, statusOf } = gateway;
  const bare = (await issuer.token({ ...claims, padding: '' })).length;
  const fitting = await issuer.token({ ...claims, padding: 'x'.repeat(Math.floor(((8_192 - bare) * 3) / 4) - 2) });
  t.ok(fitting.length <= 8_192 && fitting.length > 8_180);
  t.equal(await statusOf(fitting), 200);
  t.equal(await statusOf(await issuer.token({ ...claims, padding: 'x'.repeat(6_200) })), 401);
});

t.test('a token in the query, a cookie or a body is ignored', async (t) => {
  const { issuer, claims, send } = gateway;
  const token = await issuer.token(claims);
  t.equal((await send(`${path}?access_token=${token}`)).status, 401);
  t.equal((await send(path, { headers: { cookie: `access_token=${token}` } })).status, 401);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  t.equal(
    (await send('/api/enrollment/request', { method: 'POST', headers: form, body: `access_token=${token}` })).status,
    401,
  );
});

t.test('an invalid token returns 401 on public routes too; the webhook route checks only its signature', async (t) => {
  const { sendToken, send, issuer, claims } = gateway;
  const good = `Bearer ${await issuer.token(claims)}`;
  const reference = ['/api/openapi.json', '/api/docs', '/api/docs/static/swagger-initializer.js'];
  for (const route of ['/api/education/levels', '/api/education/search?q=a', ...reference]) {
    t.equal((await sendToken('Bearer a.b.c', route)).status, 401, route);
    t.equal((await sendToken(good, route)).status, 200, route);
  }
  for (const probe of ['/healthz', '/readyz']) t.not((await sendToken('Bearer a.b.c', probe)).status, 401, probe);
  const hook = await send('/api/webhooks/identity', {
    method: 'POST',
    headers: { authorization: 'Bearer a.b.c' },
    body: '{}',
  });
  t.equal(hook.status, 200);
});
