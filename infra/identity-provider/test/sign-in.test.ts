import { createRemoteJWKSet, jwtVerify } from 'jose';
import t from 'tap';
import { beginSignIn, createBrowser } from './browser.ts';
import { requestToken, send, signIn, startProvider } from './start-provider.ts';

t.test('a browser signs in with PKCE and gets tokens that verify with the JWKS', async (t) => {
  const { url } = await startProvider(t);
  const browser = createBrowser(url);
  const attempt = beginSignIn(url);

  const page = await browser.open(attempt.url);
  t.match(page.text, /<h1>Sign in<\/h1>/);
  const wrong = await browser.submit(page, { email: 'learner@lms.test', password: 'no "idea" <b>' });
  t.equal(wrong.status, 422);
  t.match(wrong.text, /Wrong e-mail address or password/);
  t.match(wrong.text, 'value="learner@lms.test"');

  const back = new URL((await browser.submit(wrong, { email: 'Learner@LMS.test', password: 'password' })).url);
  t.equal(back.origin + back.pathname, attempt.redirectUri);
  t.equal(back.searchParams.get('state'), 'some state');
  const code = back.searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: attempt.redirectUri };

  const stolen = await requestToken(url, { ...exchange, code_verifier: 'x'.repeat(43) });
  t.match(stolen, { status: 400, body: { error: 'invalid_grant' } });
  const { status, body } = await requestToken(url, { ...exchange, code_verifier: attempt.verifier });
  t.equal(status, 200);
  const jwks = createRemoteJWKSet(new URL(`${url}/jwks`));
  const access = await jwtVerify(String(body.access_token), jwks, { issuer: url, audience: 'lms', typ: 'at+jwt' });
  t.match(access.payload, {
    sub: /^user_/,
    email: 'learner@lms.test',
    email_verified: true,
    given_name: 'Leo',
    family_name: 'Learner',
  });
  t.equal(Number(access.payload.exp) - Number(access.payload.iat), 3600);
  const identity = await jwtVerify(String(body.id_token), jwks, { issuer: url, audience: 'lms-local' });
  t.equal(identity.payload.sub, access.payload.sub);
  t.equal(identity.payload.email, 'learner@lms.test');

  t.test('the refresh token works once', async (t) => {
    const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    const renewed = await requestToken(url, refresh);
    t.equal(renewed.status, 200);
    const { payload } = await jwtVerify(String(renewed.body.access_token), jwks, { issuer: url, audience: 'lms' });
    t.equal(payload.email, 'learner@lms.test');
    t.match(await requestToken(url, refresh), { status: 400, body: { error: 'invalid_grant' } });
  });

  t.test('the second sign-in needs no password, until the browser signs out', async (t) => {
    const second = beginSignIn(url, { extra: { prompt: 'none' } });
    const silent = new URL((await browser.open(second.url)).url);
    const { body } = await requestToken(url, {
      grant_type: 'authorization_code',
      code: silent.searchParams.get('code') ?? '',
      redirect_uri: second.redirectUri,
      code_verifier: second.verifier,
    });
    t.type(body.refresh_token, 'string');
    const consenting = await browser.open(beginSignIn(url, { extra: { prompt: 'consent' } }).url);
    t.ok(new URL(consenting.url).searchParams.has('code'), 'no consent page is shown');

    const logout = new URLSearchParams({
      client_id: 'lms-local',
      post_logout_redirect_uri: 'http://localhost:5173/bye',
    });
    const question = await browser.open(`${url}/logout?${logout}`);
    t.match(question.text, /<h1>Sign out\?<\/h1>/);
    t.equal((await browser.submit(question, { logout: 'yes' })).url, 'http://localhost:5173/bye');
    const refused = await browser.open(beginSignIn(url, { extra: { prompt: 'none' } }).url);
    t.equal(new URL(refused.url).searchParams.get('error'), 'login_required');
    const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    t.match(await requestToken(url, refresh), { status: 400, body: { error: 'invalid_grant' } });
  });
});

t.test('only redirects to loopback are allowed, and PKCE is required', async (t) => {
  const { url } = await startProvider(t);
  const allowed = ['http://127.0.0.1:1/', 'http://localhost:65000/a/b?c=d', 'https://[::1]/?x'];
  for (const redirectUri of allowed) {
    const page = await createBrowser(url).open(beginSignIn(url, { redirectUri }).url);
    t.match(page.text, /<h1>Sign in<\/h1>/, redirectUri);
  }
  const refused = [
    'https://evil.example.com/',
    'http://127.0.0.1@evil.example.com/',
    'http://127.0.0.1.evil.example.com/',
    'http://localhost:1/#fragment',
    'https://docs.example.com/callback',
    'javascript:alert(1)',
  ];
  for (const redirectUri of refused) {
    const page = await createBrowser(url).open(beginSignIn(url, { redirectUri }).url);
    t.equal(page.status, 400, redirectUri);
    t.match(page.text, /Something went wrong/);
  }
  const withoutChallenge = beginSignIn(url).url.replace(/&code_challenge=[^&]+&code_challenge_method=S256/, '');
  const response = await createBrowser(url).open(withoutChallenge);
  t.equal(new URL(response.url).searchParams.get('error'), 'invalid_request');
});

t.test('text from outside is escaped in the sign-in page', async (t) => {
  const { url } = await startProvider(t);
  const hint = '"><script>alert(1)</script>';
  const page = await createBrowser(url).open(beginSignIn(url, { extra: { login_hint: hint } }).url);
  t.notMatch(page.text, '<script>');
  t.match(page.text, '&#60;script&#62;');
});

t.test('a sign-in page of another browser says how to start again', async (t) => {
  const { url } = await startProvider(t);
  const page = await createBrowser(url).open(beginSignIn(url).url);
  const elsewhere = await createBrowser(url).open(page.url);
  t.equal(elsewhere.status, 400);
  t.match(elsewhere.text, /Start again/);
});

t.test('the session and the refresh token of a deleted user are no longer valid', async (t) => {
  const { url } = await startProvider(t);
  const created = await send('POST', `${url}/users`, { email: 'gone@lms.test', password: 'secret' });
  const browser = createBrowser(url);
  const attempt = beginSignIn(url);
  const page = await browser.open(attempt.url);
  const back = new URL((await browser.submit(page, { email: 'gone@lms.test', password: 'secret' })).url);
  const { body } = await requestToken(url, {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: attempt.redirectUri,
    code_verifier: attempt.verifier,
  });
  t.type(body.refresh_token, 'string');

  t.equal((await send('DELETE', `${url}/users/${created.body.id}`)).status, 200);
  const again = await browser.open(beginSignIn(url).url);
  t.match(again.text, /<h1>Sign in<\/h1>/);
  t.equal((await browser.submit(again, { email: 'gone@lms.test', password: 'secret' })).status, 422);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
  t.match(await requestToken(url, refresh), { status: 400, body: { error: 'invalid_grant' } });
  t.match(await signIn(url, 'gone@lms.test', 'secret'), { status: 400, body: { error: 'invalid_grant' } });
  const other = await browser.submit(again, { email: 'mentor@lms.test', password: 'password' });
  t.ok(new URL(other.url).searchParams.has('code'), 'another account can sign in in the same browser');
});
