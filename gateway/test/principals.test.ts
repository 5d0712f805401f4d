import { setTimeout as pause } from 'node:timers/promises';
import { userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import { type Principal, passportAudience, passportHeader, passportIssuer } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { compactVerify, importSPKI } from 'jose';
import t from 'tap';
import { publishEvent } from './publish-event.ts';
import { startGateway } from './start-gateway.ts';
import { sendJson } from './start-upstream.ts';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

const path = '/api/enrollment';
const untilNatsIsUp = ({ send }: Gateway) =>
  waitFor(async () => (await send('/readyz')).json.checks.nats === 'ok', { until: 'the line to NATS' });

t.test('a service is handed a passport for the caller, and never the token', async (t) => {
  const { send, authHeaders, upstream, passportKeys } = await startGateway(t);
  const user = testPrincipal(['LEARNER', 'MENTOR'], { plan: 'PRO', firstName: null });
  const requestId = 'request-of-mine-1';
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

t.test('anonymous callers travel without a passport, whatever they say of themselves', async (t) => {
  const { send, upstream } = await startGateway(t);
  await send('/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video', { headers: { [passportHeader]: 'forged' } });
  t.equal(upstream.lastRequest()?.headers[passportHeader], undefined);
});

t.test('identity is asked once for many who come at once, with what the token says', async (t) => {
  const { send, authHeaders, issuer, upstream } = await startGateway(t);
  const user = testPrincipal();
  const headers = await authHeaders(user);
  const responses = await Promise.all(Array.from({ length: 25 }, () => send(path, { headers })));
  t.ok(responses.every(({ status }) => status === 200));
  t.equal(upstream.principalRequests.length, 1);

  const claims = { email: 'New@LMS.test', email_verified: true, given_name: 'Ada', family_name: 'Byron' };
  const other = await issuer.token({ sub: 'somebody-new', ...claims });
  await send(path, { headers: { authorization: `Bearer ${other}` } });
  t.same(upstream.principalRequests.at(-1), {
    identityProviderId: 'somebody-new',
    email: 'New@LMS.test',
    emailVerified: true,
    firstName: 'Ada',
    lastName: 'Byron',
  });
});

t.test("only POST /auth/sync has identity store a token's e-mail, whatever is remembered", async (t) => {
  const { send, issuer, upstream } = await startGateway(t);
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
  t.equal(upstream.principalRequests.length, 3, 'the answer is remembered');
  const [, claims = ''] = String(upstream.lastRequest()?.headers[passportHeader]).split('.');
  t.match(JSON.parse(Buffer.from(claims, 'base64url').toString()), { principal: { email } });
});

t.test("identity's refusals pass through, and are not remembered", async (t) => {
  const { send, issuer, upstream } = await startGateway(t);
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

t.test('accounts that are not in use are refused wherever their token is sent', async (t) => {
  const { send, authHeaders, upstream } = await startGateway(t);
  const suspended = await authHeaders(testPrincipal(['ADMIN'], { status: 'SUSPENDED' }));
  const inactive = await authHeaders(testPrincipal(['LEARNER'], { status: 'INACTIVE' }));
  for (const route of [path, '/api/education/levels', '/api/s3/document/stream?key=a', '/api/auth/usage'])
    for (const times of ['at first sight', 'remembered']) {
      t.match(await send(route, { headers: suspended }), { status: 403, json: { code: 'ACCOUNT_SUSPENDED' } }, times);
      t.match(await send(route, { headers: inactive }), { status: 403, json: { code: 'ACCOUNT_INACTIVE' } }, times);
    }
  t.equal(upstream.requests.length, 0);
});

t.test('with identity down or slow, those who are not known get a 503 and the others go on', async (t) => {
  const { send, authHeaders, issuer, upstream } = await startGateway(t);
  const headers = await authHeaders();
  t.equal((await send(path, { headers })).status, 200);
  upstream.respondToPrincipalsWith((_incoming, outgoing) => sendJson(outgoing, 500, {}));
  const stranger = { authorization: `Bearer ${await issuer.token({ sub: 'stranger' })}` };
  t.match(await send(path, { headers: stranger }), { status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
  t.equal((await send(path, { headers })).status, 200);
  upstream.respondToPrincipalsWith(() => undefined);
  const startedAt = performance.now();
  t.equal((await send(path, { headers: stranger })).status, 503);
  t.ok(performance.now() - startedAt < 9_000);
});

t.test('a change is in force within a second of its event', async (t) => {
  const nats = await startNats(t);
  const gateway = await startGateway(t, { environment: { NATS_URL: nats.url } });
  const { send, authHeaders, upstream } = gateway;
  await untilNatsIsUp(gateway);
  const user = testPrincipal(['ADMIN']);
  const headers = await authHeaders(user);
  const change = async (given: Partial<Principal>, event: { subject: string }, told: object = {}) => {
    t.equal((await send(path, { headers })).status, 200);
    upstream.principals.set(user.identityProviderId, { ...user, ...given });
    const startedAt = performance.now();
    await publishEvent(nats.url, event.subject, {
      id: user.userId,
      identityProviderId: user.identityProviderId,
      ...told,
    });
    await waitFor(async () => (await send(path, { headers })).status !== 200, {
      timeoutMs: 15_000,
      until: 'the change',
    });
    t.ok(performance.now() - startedAt < 10_000, event.subject);
    upstream.principals.set(user.identityProviderId, user);
    await publishEvent(nats.url, userUpdated.subject, { id: user.userId, identityProviderId: user.identityProviderId });
    await waitFor(async () => (await send(path, { headers })).status === 200, { until: 'the change back' });
  };
  await change({ status: 'SUSPENDED' }, userUpdated);
  await change({ status: 'INACTIVE' }, userRoleChanged);
  await change({ status: 'INACTIVE' }, userDeleted, { identityProviderId: null });
});

t.test('an answer that was on its way when a user changed is not remembered', async (t) => {
  const nats = await startNats(t);
  const gateway = await startGateway(t, { environment: { NATS_URL: nats.url } });
  const { send, authHeaders, upstream } = gateway;
  await untilNatsIsUp(gateway);
  const user = testPrincipal();
  const headers = await authHeaders(user);
  const waiting: (() => void)[] = [];
  upstream.respondToPrincipalsWith((_incoming, outgoing) => {
    waiting.push(() => sendJson(outgoing, 200, { success: true, data: user }));
  });
  const early = send(path, { headers });
  await waitFor(() => waiting.length === 1, { until: 'identity to be asked' });
  upstream.principals.set(user.identityProviderId, { ...user, status: 'SUSPENDED' });
  upstream.respondToPrincipalsWith(undefined);
  await publishEvent(nats.url, userUpdated.subject, { id: user.userId, identityProviderId: null });
  // Until the event is heard, whoever comes joins the question that is under way.
  const joined: Promise<number>[] = [];
  await waitFor(
    async () => {
      let status = 0;
      joined.push(send(path, { headers }).then((answer) => (status = answer.status)));
      await pause(100);
      return status === 403;
    },
    { until: 'whoever comes after the event to be told the truth' },
  );
  for (const answer of waiting) answer();
  t.equal((await early).status, 200, 'who asked before it may be answered as of then');
  t.equal((await send(path, { headers })).status, 403);
});

t.test('when the line to NATS breaks, nobody is remembered', async (t) => {
  const nats = await startNats(t);
  const gateway = await startGateway(t, { environment: { NATS_URL: nats.url } });
  const { send, authHeaders, upstream } = gateway;
  await untilNatsIsUp(gateway);
  const user = testPrincipal();
  const headers = await authHeaders(user);
  t.equal((await send(path, { headers })).status, 200);
  upstream.principals.set(user.identityProviderId, { ...user, status: 'SUSPENDED' });
  t.equal((await send(path, { headers })).status, 200);
  await nats.kill();
  await waitFor(async () => (await send(path, { headers })).status === 403, { timeoutMs: 2_000, until: 'the truth' });
});
