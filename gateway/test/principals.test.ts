import { setTimeout as pause } from 'node:timers/promises';
import { userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import { type Principal, passportAudience, passportHeader, passportIssuer } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { compactVerify, importSPKI } from 'jose';
import t from 'tap';
import { publishEvent } from './publish-event.ts';
import { shareGateway, startGateway } from './start-gateway.ts';
import { sendJson } from './start-upstream.ts';

const path = '/api/enrollment';
const sharedGateway = await shareGateway(t);
const sharedNats = await startNats(t);
const gatewayWithNats = await shareGateway(t, { environment: { NATS_URL: sharedNats.url } });

t.test('a service receives a passport of the user, and never the token', async (t) => {
  const { send, authHeaders, upstream, passportKeys } = sharedGateway();
  const user = testPrincipal(['LEARNER', 'MENTOR'], { plan: 'PRO', firstName: null });
  const requestId = 'request-of-client';
  await send(path, { headers: { ...(await authHeaders(user)), 'x-request-id': requestId } });
  const headers = upstream.lastRequest()?.headers ?? {};
  t.equal(headers.authorization, undefined);
  const key = await importSPKI(passportKeys.publicKey, 'EdDSA');
  const { payload, protectedHeader } = await compactVerify(String(headers[passportHeader]), key);
  const claims = JSON.parse(Buffer.from(payload).toString());
  t.match(protectedHeader, { alg: 'EdDSA' });
  t.match(claims, { iss: passportIssuer, aud: passportAudience, sub: user.userId });
  t.notOk('requestId' in claims, 'one passport serves many requests');
  t.same(claims.principal, user);
  t.ok(claims.exp - claims.iat <= 60);
  t.equal(headers['x-request-id'], requestId);
});

t.test('anonymous requests have no passport, even if the client sends one', async (t) => {
  const { send, upstream } = sharedGateway();
  await send('/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video', { headers: { [passportHeader]: 'forged' } });
  t.equal(upstream.lastRequest()?.headers[passportHeader], undefined);
});

t.test('concurrent requests share one request to identity, which has the claims of the token', async (t) => {
  const { send, authHeaders, issuer, upstream } = sharedGateway();
  const user = testPrincipal();
  const headers = await authHeaders(user);
  const responses = await Promise.all(Array.from({ length: 25 }, () => send(path, { headers })));
  t.ok(responses.every(({ status }) => status === 200));
  t.equal(upstream.principalRequests.length, 1);

  const claims = { email: 'New@LMS.test', email_verified: true, given_name: 'Ada', family_name: 'Byron' };
  const other = await issuer.token({ sub: 'new-user', ...claims });
  await send(path, { headers: { authorization: `Bearer ${other}` } });
  t.same(upstream.principalRequests.at(-1), {
    identityProviderId: 'new-user',
    email: 'New@LMS.test',
    emailVerified: true,
    firstName: 'Ada',
    lastName: 'Byron',
  });
});

t.test('POST /auth/sync passes on the claims of a token that has no account, and no other route does', async (t) => {
  const { send, issuer, upstream } = sharedGateway();
  const headers = { authorization: `Bearer ${await issuer.token({ sub: 'unknown', given_name: 'Ada' })}` };
  const sync = () => send('/api/auth/sync', { method: 'POST', headers });
  t.equal((await send(path, { headers })).status, 403);
  t.equal(upstream.requests.length, 0);
  t.equal((await sync()).status, 200);
  const [, claims = ''] = String(upstream.lastRequest()?.headers[passportHeader]).split('.');
  t.match(JSON.parse(Buffer.from(claims, 'base64url').toString()), {
    principal: null,
    tokenClaims: { identityProviderId: 'unknown', email: null, emailVerified: false, firstName: 'Ada' },
  });

  const deleted = { success: false, error: 'This account is inactive', code: 'ACCOUNT_INACTIVE' };
  upstream.respondToPrincipalsWith((_incoming, outgoing) => sendJson(outgoing, 403, deleted));
  t.match(await sync(), { status: 403, json: { code: 'ACCOUNT_INACTIVE' } });
  t.equal(upstream.requests.length, 1, 'the request of a deleted account is not forwarded');
});

t.test("only POST /auth/sync makes identity store a token's e-mail, and does so despite the cache", async (t) => {
  const { send, issuer, upstream } = sharedGateway();
  const user = testPrincipal();
  upstream.principals.set('known', user);
  const [sub, email, iat] = ['known', 'new@lms.test', Math.floor(Date.now() / 1_000) - 7];
  const headers = { authorization: `Bearer ${await issuer.token({ sub, iat, email, email_verified: true })}` };
  const sync = () => send('/api/auth/sync', { method: 'POST', headers });
  await send(path, { headers });
  t.notMatch(upstream.principalRequests, [{ issuedAt: iat }]);
  upstream.principals.set('known', { ...user, email });
  for (let times = 0; times < 2; times += 1) t.equal((await sync()).status, 200);
  t.match(upstream.principalRequests.slice(1), [
    { identityProviderId: sub, email, issuedAt: iat },
    { email, issuedAt: iat },
  ]);

  await send(path, { headers });
  t.equal(upstream.principalRequests.length, 3, 'the response is cached');
  const [, claims = ''] = String(upstream.lastRequest()?.headers[passportHeader]).split('.');
  t.match(JSON.parse(Buffer.from(claims, 'base64url').toString()), { principal: { email } });
});

t.test('errors of identity are passed on and not cached', async (t) => {
  const { send, issuer, upstream } = sharedGateway();
  const headers = { authorization: `Bearer ${await issuer.token({ sub: 'late' })}` };
  t.match(await send(path, { headers }), {
    status: 403,
    json: {
      success: false,
      code: 'FORBIDDEN',
      error: 'User not synchronised',
      details: { required: ['LEARNER', 'MENTOR', 'ADMIN'], user_roles: [] },
    },
  });
  upstream.principals.set('late', testPrincipal([], { identityProviderId: 'late' }));
  t.equal((await send(path, { headers })).status, 200);
});

t.test('suspended and inactive accounts are rejected on every route', async (t) => {
  const { send, authHeaders, upstream } = sharedGateway();
  const suspended = await authHeaders(testPrincipal(['ADMIN'], { status: 'SUSPENDED' }));
  const inactive = await authHeaders(testPrincipal(['LEARNER'], { status: 'INACTIVE' }));
  for (const route of [path, '/api/education/levels', '/api/s3/document/stream?key=a', '/api/auth/usage'])
    for (const times of ['fetched', 'cached']) {
      t.match(await send(route, { headers: suspended }), { status: 403, json: { code: 'ACCOUNT_SUSPENDED' } }, times);
      t.match(await send(route, { headers: inactive }), { status: 403, json: { code: 'ACCOUNT_INACTIVE' } }, times);
    }
  t.equal(upstream.requests.length, 0);
});

t.test('while identity is down or slow, unknown users get 503 and cached ones are served', async (t) => {
  const { send, authHeaders, issuer, upstream } = await startGateway(t, { options: { identityTimeoutMs: 2_000 } });
  const headers = await authHeaders();
  t.equal((await send(path, { headers })).status, 200);
  upstream.respondToPrincipalsWith((_incoming, outgoing) => sendJson(outgoing, 500, {}));
  const unknownUser = { authorization: `Bearer ${await issuer.token({ sub: 'unknown' })}` };
  t.match(await send(path, { headers: unknownUser }), { status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
  t.equal((await send(path, { headers })).status, 200);
  upstream.respondToPrincipalsWith(() => undefined);
  const startedAt = performance.now();
  t.equal((await send(path, { headers: unknownUser })).status, 503);
  t.ok(performance.now() - startedAt < 9_000);
});

t.test('a change takes effect when its event arrives', async (t) => {
  const { send, authHeaders, upstream } = gatewayWithNats();
  const user = testPrincipal(['ADMIN']);
  const headers = await authHeaders(user);
  const change = async (given: Partial<Principal>, event: { subject: string }, data: object = {}) => {
    t.equal((await send(path, { headers })).status, 200);
    upstream.principals.set(user.identityProviderId, { ...user, ...given });
    const startedAt = performance.now();
    await publishEvent(sharedNats.url, event.subject, {
      id: user.userId,
      identityProviderId: user.identityProviderId,
      ...data,
    });
    await waitFor(async () => (await send(path, { headers })).status !== 200, {
      until: 'the change',
    });
    t.ok(performance.now() - startedAt < 10_000, event.subject);
    upstream.principals.set(user.identityProviderId, user);
    await publishEvent(sharedNats.url, userUpdated.subject, {
      id: user.userId,
      identityProviderId: user.identityProviderId,
    });
    await waitFor(async () => (await send(path, { headers })).status === 200, { until: 'the change to be reverted' });
  };
  await change({ status: 'SUSPENDED' }, userUpdated);
  await change({ status: 'INACTIVE' }, userRoleChanged);
  await change({ status: 'INACTIVE' }, userDeleted, { identityProviderId: null });
});

t.test('a principal that was requested before a change is not cached after it', async (t) => {
  const { send, authHeaders, upstream } = gatewayWithNats();
  const user = testPrincipal();
  const headers = await authHeaders(user);
  const pending: (() => void)[] = [];
  upstream.respondToPrincipalsWith((_incoming, outgoing) => {
    pending.push(() => sendJson(outgoing, 200, { success: true, data: user }));
  });
  const early = send(path, { headers });
  await waitFor(() => pending.length === 1, { until: 'the request to identity' });
  upstream.principals.set(user.identityProviderId, { ...user, status: 'SUSPENDED' });
  upstream.respondToPrincipalsWith(undefined);
  await publishEvent(sharedNats.url, userUpdated.subject, { id: user.userId, identityProviderId: null });
  // Until the event arrives, requests join the pending request to identity.
  const statuses: number[] = [];
  await waitFor(
    async () => {
      void send(path, { headers }).then(({ status }) => statuses.push(status));
      await pause(100);
      return statuses.includes(403);
    },
    { until: 'requests after the event to see the change' },
  );
  for (const respond of pending) respond();
  t.equal((await early).status, 200, 'a request from before the event may see the old state');
  t.equal((await send(path, { headers })).status, 403);
});

t.test('when the connection to NATS is lost, the cache is cleared', async (t) => {
  const nats = await startNats(t);
  const { send, authHeaders, upstream } = await startGateway(t, { environment: { NATS_URL: nats.url } });
  const user = testPrincipal();
  const headers = await authHeaders(user);
  t.equal((await send(path, { headers })).status, 200);
  upstream.principals.set(user.identityProviderId, { ...user, status: 'SUSPENDED' });
  t.equal((await send(path, { headers })).status, 200);
  await nats.kill();
  await waitFor(async () => (await send(path, { headers })).status === 403, { until: 'the change' });
});
