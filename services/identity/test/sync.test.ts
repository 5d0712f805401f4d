import t from 'tap';
import { account, startIdentity } from './identity.ts';

const unverified = (email_address: string) => ({
  email_addresses: [{ email_address, verification: { status: 'unverified' } }],
});
const hint = { userId: 'idp_new', email: 'new@lms.test', firstName: 'New' };

t.test('an anonymous hint announces somebody without account, roles or a proven e-mail', async (t) => {
  const { anonymous, resolve, as, enter } = await startIdentity(t);
  const { status, body } = await anonymous.post('/api/auth/sync', { ...hint, roles: ['ADMIN'], emailVerified: true });
  t.equal(status, 201);
  t.same(Object.keys(body.data).sort(), ['id', 'identityProviderId', 'synced']);
  t.match(body.data, { identityProviderId: 'idp_new', synced: false });
  const again = await anonymous.post('/api/auth/sync', { ...hint, firstName: 'Eve', email: 'eve@lms.test' });
  t.equal(again.status, 200);
  t.same(again.body.data, body.data);

  const boss = await enter('boss');
  const seen = (await as(boss).get(`/api/users/${body.data.id}`)).body.data;
  t.match(seen, { email: 'new@lms.test', emailVerified: false, firstName: 'New', roles: [], status: 'ACTIVE' });
  const refused = await resolve({ identityProviderId: 'idp_new', emailVerified: false });
  t.equal(refused.status, 403, 'a token without a verified e-mail finds no account there');
});

t.test('a verified token makes an account of a hint, with what the token says', async (t) => {
  const { anonymous, resolve } = await startIdentity(t);
  const { body } = await anonymous.post('/api/auth/sync', { ...hint, email: 'wrong@lms.test' });
  const { body: principal } = await resolve({ identityProviderId: 'idp_new', email: 'right@lms.test' });
  t.match(principal.data, { userId: body.data.id, email: 'right@lms.test', emailVerified: true, roles: ['LEARNER'] });
  t.equal(principal.data.firstName, null, "the hint's names are gone");
});

t.test('a hint that was right all along becomes an account no less', async (t) => {
  const { anonymous, resolve, webhook } = await startIdentity(t);
  await anonymous.post('/api/auth/sync', { userId: 'idp_1', email: 'idp_1@lms.test' });
  await webhook(
    'user.created',
    account('idp_1', { ...unverified('idp_1@lms.test'), first_name: null, last_name: null }),
  );
  const { body } = await resolve({ identityProviderId: 'idp_1', emailVerified: false });
  t.match(body.data, { status: 'ACTIVE', emailVerified: false, roles: ['LEARNER'] });
});

t.test('names that only a hint gave go when the provider speaks, also where it names none', async (t) => {
  const { anonymous, webhook, resolve } = await startIdentity(t);
  await anonymous.post('/api/auth/sync', { userId: 'idp_1', email: 'x@lms.test', firstName: 'Evil', lastName: 'Twin' });
  await webhook('user.created', account('idp_1', { first_name: undefined, last_name: undefined }));
  t.match((await resolve({ identityProviderId: 'idp_1' })).body.data, { firstName: null, lastName: null });
});

t.test('a hint never becomes an admin by its e-mail, and gives it up to whoever proves it', async (t) => {
  const { anonymous, resolve, as } = await startIdentity(t);
  const { body: thief } = await anonymous.post('/api/auth/sync', { userId: 'idp_thief', email: 'boss@lms.test' });
  t.equal(
    (await resolve({ identityProviderId: 'idp_thief', email: 'boss@lms.test', emailVerified: false })).status,
    403,
  );
  const { body: boss } = await resolve({ identityProviderId: 'idp_boss', email: 'boss@lms.test' });
  t.same(boss.data.roles, ['LEARNER', 'ADMIN']);
  const displaced = (await as(boss.data).get(`/api/users/${thief.data.id}`)).body.data;
  t.match(displaced, { email: `displaced-${thief.data.id}@invalid`, emailVerified: false, roles: [] });
});

t.test('a hint with an e-mail of somebody else is a 409', async (t) => {
  const { anonymous, enter } = await startIdentity(t);
  await enter('ann');
  const { status, body } = await anonymous.post('/api/auth/sync', { userId: 'idp_eve', email: 'ANN@lms.test' });
  t.equal(status, 409);
  t.match(body, { code: 'CONFLICT', details: { resource: 'user', field: 'email', value: 'ANN@lms.test' } });
});

t.test('of many equal hints at once one makes the user', async (t) => {
  const { anonymous } = await startIdentity(t);
  const answers = await Promise.all(Array.from({ length: 8 }, () => anonymous.post('/api/auth/sync', hint)));
  t.same(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201]);
  const rivals = await Promise.all(
    ['a', 'b', 'c'].map((userId) => anonymous.post('/api/auth/sync', { userId, email: 'one@lms.test' })),
  );
  t.same(rivals.map(({ status }) => status).sort(), [201, 409, 409]);
});

t.test('with a token one synchronises oneself only', async (t) => {
  const { as, enter } = await startIdentity(t);
  const ann = await enter('ann');
  const own = await as(ann).post('/api/auth/sync', { userId: ann.identityProviderId, email: 'eve@lms.test' });
  t.equal(own.status, 200);
  t.match(own.body.data, { id: ann.userId, email: 'ann@lms.test', roles: ['LEARNER'], synced: true });
  const foreign = await as(ann).post('/api/auth/sync', { userId: 'idp_eve', email: 'ann@lms.test' });
  t.equal(foreign.status, 403);
  t.equal(foreign.body.code, 'FORBIDDEN');
});

t.test('who is gone for good is not announced again', async (t) => {
  const { anonymous, webhook } = await startIdentity(t);
  await webhook('user.created', account('idp_new'));
  await webhook('user.deleted', { id: 'idp_new' });
  t.equal((await anonymous.post('/api/auth/sync', hint)).status, 200, 'a row is still there');
  await webhook('user.deleted', { id: 'idp_never' });
  const { status, body } = await anonymous.post('/api/auth/sync', { userId: 'idp_never', email: 'never@lms.test' });
  t.match({ status, code: body.code }, { status: 403, code: 'ACCOUNT_INACTIVE' });
});

t.test('a body out of shape is refused', async (t) => {
  const { anonymous, send } = await startIdentity(t);
  const flaws: Record<string, object> = {
    userId: { ...hint, userId: 7 },
    email: { ...hint, email: 'nobody' },
    firstName: { ...hint, firstName: 'n'.repeat(201) },
    lastName: { ...hint, lastName: 'a\0b' },
  };
  for (const [field, payload] of Object.entries(flaws)) {
    const { status, body } = await anonymous.post('/api/auth/sync', payload);
    t.equal(status, 422, field);
    t.equal(body.details.field, field);
  }
  t.equal((await anonymous.post('/api/auth/sync', { userId: 'x', email: 'a@b', lastName: '\ud800' })).status, 422);
  t.equal((await anonymous.post('/api/auth/sync', {})).status, 422);
  const broken = { headers: { 'content-type': 'application/json' }, payload: '{"userId":' };
  t.equal((await send('POST', '/api/auth/sync', broken)).status, 400);
  t.equal(
    (await send('POST', '/api/auth/sync', { headers: { 'content-type': 'text/plain' }, payload: 'x' })).status,
    415,
  );
});

t.test('a hint under an Idempotency-Key is answered once, and again as it was', async (t) => {
  const { send } = await startIdentity(t);
  const ask = (payload: object, key = 'hint-1') =>
    send('POST', '/api/auth/sync', { payload, headers: { 'idempotency-key': key } });
  const first = await ask(hint);
  t.equal(first.status, 201);
  const again = await ask(hint);
  t.match(again, { status: 201, headers: { 'idempotency-replayed': 'true' } });
  t.same(again.body, first.body);
  t.equal((await ask({ ...hint, firstName: 'Other' })).status, 422);
  t.equal((await ask(hint, 'hint-2')).status, 200);
  t.equal((await ask(hint, 'é')).status, 422);
});

t.test("a token's verified e-mail counts for a known account where its time is told", async (t) => {
  const { resolve, webhook, as, enter, events } = await startIdentity(t);
  const ann = await enter('ann');
  const { identityProviderId } = ann;
  const moved = { identityProviderId, email: 'New@LMS.test' };
  const emailAfter = async (claims: Parameters<typeof resolve>[0]) => (await resolve(claims)).body.data.email;
  const now = Math.floor(Date.now() / 1_000);

  t.equal(await emailAfter(moved), 'ann@lms.test', 'any other request changes nothing');
  t.equal(await emailAfter({ ...moved, issuedAt: now, emailVerified: false }), 'ann@lms.test');
  t.equal(await emailAfter({ ...moved, issuedAt: now }), 'new@lms.test');
  t.match((await as(ann).get('/api/auth/profile')).body.data, { email: 'new@lms.test', emailVerified: true });
  t.match((await events()).at(-1), {
    type: 'identity.user.updated',
    changes: { email: { from: 'ann@lms.test', to: 'new@lms.test' } },
  });

  const later = { email_addresses: [{ email_address: 'later@lms.test' }], updated_at: (now + 5) * 1_000 };
  await webhook('user.updated', account(identityProviderId, later));
  t.equal(await emailAfter({ ...moved, issuedAt: now }), 'later@lms.test', 'not against what the provider said since');
  t.equal(await emailAfter({ ...moved, issuedAt: now + 6 }), 'new@lms.test');
});

t.test("a token's e-mail that is somebody else's is a conflict where it is to be stored", async (t) => {
  const { resolve, enter } = await startIdentity(t);
  const ann = await enter('ann');
  await enter('bea');
  const claims = { identityProviderId: ann.identityProviderId, email: 'bea@lms.test', issuedAt: Date.now() / 1_000 };
  t.match(await resolve(claims), {
    status: 409,
    body: { code: 'CONFLICT', details: { resource: 'user', field: 'email', value: 'bea@lms.test' } },
  });
  t.match(await resolve({ ...claims, identityProviderId: 'idp_new' }), { status: 403, body: { code: 'FORBIDDEN' } });
  t.match((await resolve({ ...claims, email: 'ann@lms.test' })).body.data, { email: 'ann@lms.test' });
});
