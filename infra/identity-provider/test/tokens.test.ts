import { createRemoteJWKSet, jwtVerify } from 'jose';
import t from 'tap';
import { requestToken, send, signIn, startProvider } from './start-provider.ts';

t.test('tokens of the password grant verify with the keys from discovery', async (t) => {
  const { url } = await startProvider(t);
  const { body: discovery } = await send('GET', `${url}/.well-known/openid-configuration`);
  t.match(discovery, {
    issuer: url,
    jwks_uri: `${url}/jwks`,
    token_endpoint: `${url}/token`,
    authorization_endpoint: `${url}/authorize`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  });
  const { status, body } = await signIn(url, 'ADMIN@lms.test');
  t.match({ status, body }, { status: 200, body: { token_type: 'Bearer', expires_in: 3600, scope: /openid/ } });

  const jwks = createRemoteJWKSet(new URL(String(discovery.jwks_uri)));
  const expected = { issuer: url, audience: 'lms', algorithms: ['RS256'] };
  const { payload, protectedHeader } = await jwtVerify(String(body.access_token), jwks, expected);
  t.match(protectedHeader, { alg: 'RS256', typ: 'at+jwt', kid: /^[\w-]{20,}$/ });
  t.match(payload, {
    sub: /^user_[0-9a-f]{32}$/,
    aud: 'lms',
    email: 'admin@lms.test',
    email_verified: true,
    given_name: 'Ada',
    family_name: 'Admin',
  });
  t.equal(Number(payload.exp) - Number(payload.iat), 3600);
});

t.test('only the public parts of keys are published', async (t) => {
  const { url } = await startProvider(t);
  const response = await fetch(`${url}/jwks`);
  t.notMatch(await response.text(), /"(d|p|q|dp|dq|qi)"/);
});

t.test('the token endpoint also accepts JSON', async (t) => {
  const { url } = await startProvider(t);
  const request = { grant_type: 'password', client_id: 'lms-local', username: 'mentor@lms.test', password: 'password' };
  const good = await send('POST', `${url}/token`, request);
  t.match(good, { status: 200, body: { access_token: /^eyJ/, token_type: 'Bearer' } });
  const wrong = await send('POST', `${url}/token`, { ...request, password: 'Password' });
  t.match(wrong, { status: 400, body: { error: 'invalid_grant' } });
  for (const body of ['{"grant_type":', '[]', '{"username":{"$ne":""}}']) {
    t.match(await send('POST', `${url}/token`, body), { status: 400, body: { error: 'invalid_request' } }, body);
  }
});

t.test('a wrong password or an unknown user gets no token', async (t) => {
  const { url } = await startProvider(t);
  t.match(await signIn(url, 'admin@lms.test', 'wrong'), { status: 400, body: { error: 'invalid_grant' } });
  t.match(await signIn(url, 'unknown@lms.test'), { status: 400, body: { error: 'invalid_grant' } });
  t.match(await signIn(url, 'admin@lms.test', ''), { status: 400, body: { error: 'invalid_request' } });
});

t.test('a client cannot add claims or choose the audience', async (t) => {
  const { url } = await startProvider(t);
  const request = { grant_type: 'password', client_id: 'lms-local', username: 'mentor@lms.test', password: 'password' };
  const extra = {
    sub: 'user_other',
    aud: 'other',
    resource: 'urn:other',
    claims: '{"email":"x"}',
    email: 'x@lms.test',
  };
  const { body } = await requestToken(url, { ...request, ...extra });
  const { payload } = await jwtVerify(String(body.access_token), createRemoteJWKSet(new URL(`${url}/jwks`)));
  t.match(payload, { sub: /^user_[0-9a-f]{32}$/, aud: 'lms', email: 'mentor@lms.test' });
});

t.test('CORS requests are allowed from loopback pages and not from other sites', async (t) => {
  const { url } = await startProvider(t);
  const form = 'grant_type=password&client_id=lms-local&username=learner%40lms.test&password=password';
  const call = (path: string, origin: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { ...init.headers, origin } });
  const post = { method: 'POST', body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const allowed = async (response: Promise<Response>) => (await response).headers.get('access-control-allow-origin');

  const allowedOrigin = 'http://localhost:8080';
  t.equal(await allowed(call('/token', allowedOrigin, post)), allowedOrigin);
  t.equal(await allowed(call('/jwks', allowedOrigin)), allowedOrigin);
  t.equal(await allowed(call('/.well-known/openid-configuration', allowedOrigin)), allowedOrigin);
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } };
  t.equal(await allowed(call('/token', allowedOrigin, preflight)), allowedOrigin);

  const otherOrigin = 'https://evil.example.com';
  const refused = await call('/token', otherOrigin, post);
  t.equal(refused.status, 400);
  t.equal(refused.headers.get('access-control-allow-origin'), null);
  t.equal(await allowed(call('/users', otherOrigin)), null);
});

t.test('pages of other sites cannot create users: their requests without a preflight are rejected', async (t) => {
  const { url } = await startProvider(t);
  const user = JSON.stringify({ email: 'n@lms.test', password: 'secret' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const { status } = await send('POST', `${url}/users`, user, {
      'content-type': type,
      origin: 'https://evil.example',
    });
    t.ok(status === 415 || status === 422, `${type}: ${status}`);
  }
  const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const { headers } = await fetch(`${url}/users`, { method: 'OPTIONS', headers: preflight });
  t.equal(headers.get('access-control-allow-origin'), null);
  const { body } = await send('GET', `${url}/users`);
  t.equal(Object.keys(body).length, 3);
});

t.test('/healthz returns 200, and unknown paths return 404', async (t) => {
  const { url } = await startProvider(t);
  t.match(await send('GET', `${url}/healthz`), { status: 200, body: { status: 'ok' } });
  t.equal((await fetch(`${url}/nowhere`)).status, 404);
});
