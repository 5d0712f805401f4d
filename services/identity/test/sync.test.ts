import { createHash } from 'node:crypto';
import { untilLocked } from '@lms/testing/database';
import { passportHeaders } from '@lms/testing/principals';
import t from 'tap';
import { account, shareIdentity, startIdentity } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

const unverifiedEmail = (email_address: string) => ({
  email_addresses: [{ email_address, verification: { status: 'unverified' } }],
});
/** Roles as one string, because `match` ignores surplus items of a list. */
const userOf = <T extends { roles: string[] }>({ body: { data } }: { body: { data: T } }) => ({
  ...data,
  roles: `<${data.roles}>`,
});
const hint = { userId: 'idp_new', email: 'new@lms.test', firstName: 'New' };

t.test('an anonymous hint creates a provisional learner; a token without an e-mail confirms it', async (t) => {
  const { anonymous, resolve, as, signIn } = await emptyIdentity();
  const token = { identityProviderId: 'idp_new', email: null, emailVerified: false };
  const refused = await resolve(token);
  t.match(refused, { status: 403, body: { code: 'FORBIDDEN', error: 'User not synchronised' } });
  t.same(refused.body.details, { required: ['LEARNER', 'MENTOR', 'ADMIN'], user_roles: [] });
  const { status, body } = await anonymous.post('/api/auth/sync', { ...hint, roles: ['ADMIN'], emailVerified: true });
  t.equal(status, 201);
  const { id } = body.data;
  t.same(body.data, { id, identityProviderId: 'idp_new', email: 'new@lms.test', synced: false });
  const again = await anonymous.post('/api/auth/sync', { ...hint, firstName: 'Eve', email: 'eve@lms.test' });
  t.equal(again.status, 200);
  t.same(again.body.data, { ...body.data, email: 'eve@lms.test' }, 'the e-mail of the request, not the stored one');

  const boss = await signIn('boss');
  const seen = async () => userOf(await as(boss).get(`/api/users/${id}`));
  const provisional = {
    email: 'new@lms.test',
    emailVerified: false,
    firstName: 'New',
    roles: '<LEARNER>',
    status: 'ACTIVE',
  };
  t.match(await seen(), provisional);

  const confirmed = await resolve(token);
  t.equal(confirmed.status, 200);
  t.match(userOf(confirmed), { userId: id, ...provisional });
  t.match(await seen(), provisional);
  t.match((await as(confirmed.body.data).get('/api/auth/profile')).body.data, { id, email: 'new@lms.test' });
  t.match((await anonymous.post('/api/auth/sync', hint)).body.data, { id, synced: true });
});

/** A request with a valid token of a subject without an account, as the gateway forwards it. */
const tokenOf = (identityProviderId: string, claims = {}) => ({
  headers: passportHeaders(null, {
    claims: {
      tokenClaims: {
        identityProviderId,
        email: null,
        emailVerified: false,
        firstName: null,
        lastName: null,
        ...claims,
      },
    },
  }),
});

t.test('the first request with a token that has no e-mail creates its account', async (t) => {
  const { send, resolve, signIn, events, as } = await emptyIdentity();
  await signIn('ann');
  const sync = (payload: object, token: object) => send('POST', '/api/auth/sync', { payload, ...token });
  const token = tokenOf('idp_new', { firstName: 'Token' });

  const foreign = await sync({ ...hint, userId: 'idp_other' }, token);
  t.match(foreign, { status: 403, body: { code: 'FORBIDDEN', error: 'You can only synchronise yourself' } });
  t.same(foreign.body.details.user_roles, []);
  t.match(await sync({ ...hint, email: 'ann@lms.test' }, token), { status: 409, body: { code: 'CONFLICT' } });
  const proven = tokenOf('idp_new', { email: 'ann@lms.test', emailVerified: true });
  t.match(await sync(hint, proven), { status: 403, body: { error: 'User not synchronised' } });
  t.equal((await events()).length, 1, 'none of them has created an account');

  const created = await sync(hint, token);
  t.match(created, { status: 201, body: { message: 'User synchronised' } });
  t.match(userOf(created), {
    identityProviderId: 'idp_new',
    email: 'new@lms.test',
    emailVerified: false,
    firstName: 'Token',
    roles: '<LEARNER>',
    synced: true,
  });
  const resolved = await resolve({ identityProviderId: 'idp_new', email: null, emailVerified: false });
  t.match(resolved, { status: 200, body: { data: { userId: created.body.data.id } } });
  t.equal((await as(resolved.body.data).get('/api/auth/profile')).body.data.email, 'new@lms.test');
  t.match(await sync(hint, token), { status: 200, body: { data: { id: created.body.data.id } } });
});

t.test('a sync whose verified token has created the account returns 201, the next one 200', async (t) => {
  const { resolve, as } = await emptyIdentity();
  const sync = async () => {
    const { body } = await resolve({
      identityProviderId: 'idp_new',
      email: 'new@lms.test',
      issuedAt: Date.now() / 1_000,
    });
    return as(body.data).post('/api/auth/sync', hint);
  };
  const created = await sync();
  t.match(created, { status: 201, body: { data: { email: 'new@lms.test', emailVerified: true, synced: true } } });
  t.match(await sync(), { status: 200, body: { data: { id: created.body.data.id } } });
});

t.test('concurrent first requests with a token create one account', async (t) => {
  const { send } = await emptyIdentity();
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => send('POST', '/api/auth/sync', { payload: hint, ...tokenOf('idp_new') })),
  );
  t.same(responses.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
  t.equal(new Set(responses.map(({ body }) => body.data.id)).size, 1);
});

t.test('a stored response to a token is replayed to its user, and to no other subject', async (t) => {
  const { send, resolve, as } = await emptyIdentity();
  const sync = (identityProviderId: string) => {
    const { headers } = tokenOf(identityProviderId);
    return send('POST', '/api/auth/sync', { payload: hint, headers: { ...headers, 'idempotency-key': 'first' } });
  };
  t.equal((await sync('idp_new')).status, 201);
  t.match(await sync('idp_new'), { status: 201, headers: { 'idempotency-replayed': 'true' } });
  t.equal((await sync('idp_other')).status, 403);
  const { body } = await resolve({ identityProviderId: 'idp_new', email: null, emailVerified: false });
  const replayed = await as(body.data, { 'idempotency-key': 'first' }).post('/api/auth/sync', hint);
  t.match(replayed, { status: 201, headers: { 'idempotency-replayed': 'true' } }, 'also once the account exists');
});

t.test('an unverified e-mail of a token is ignored, and its names replace those of the hint', async (t) => {
  const { anonymous, resolve } = await emptyIdentity();
  const { body } = await anonymous.post('/api/auth/sync', { ...hint, lastName: 'Hint' });
  const token = { identityProviderId: 'idp_new', email: 'boss@lms.test', emailVerified: false, firstName: 'Ann' };
  const named = {
    email: 'new@lms.test',
    emailVerified: false,
    firstName: 'Ann',
    lastName: 'Hint',
    roles: '<LEARNER>',
  };
  t.match(userOf(await resolve(token)), { userId: body.data.id, ...named });
});

t.test('concurrent first tokens of a provisional account resolve to the same learner', async (t) => {
  const { anonymous, resolve, events, as, signIn } = await emptyIdentity();
  const { id } = (await anonymous.post('/api/auth/sync', hint)).body.data;
  const token = { identityProviderId: 'idp_new', email: null, emailVerified: false };
  const responses = await Promise.all(Array.from({ length: 12 }, () => resolve(token)));
  t.same(new Set(responses.map(({ status, body }) => `${status} ${body.data?.userId}`)), new Set([`200 ${id}`]));
  t.same(
    (await events()).map(({ type }) => type),
    ['identity.user.created', 'identity.user.updated'],
  );
  const { userRoles } = (await as(await signIn('boss')).get(`/api/users/${id}`)).body.data;
  t.match(userRoles, [{ role: 'LEARNER', isActive: true }]);
});

t.test('roles that an admin assigned or ended before the first token do not change', async (t) => {
  const { anonymous, resolve, as, signIn } = await emptyIdentity();
  const { id } = (await anonymous.post('/api/auth/sync', hint)).body.data;
  const boss = await signIn('boss');
  t.equal((await as(boss).post(`/api/users/${id}/roles`, { role: 'MENTOR' })).status, 201);
  t.equal((await as(boss).delete(`/api/users/${id}/roles`, { role: 'LEARNER' })).status, 200);
  const { status, body } = await resolve({ identityProviderId: 'idp_new', email: null, emailVerified: false });
  t.equal(status, 200);
  t.same(body.data.roles, ['MENTOR']);
});

t.test('a provisional account without a role becomes a learner when it is confirmed', async (t) => {
  const { anonymous, resolve, database } = await emptyIdentity();
  const { id } = (await anonymous.post('/api/auth/sync', hint)).body.data;
  await database.sql`delete from user_roles where user_id = ${id}`;
  const { body } = await resolve({ identityProviderId: 'idp_new', email: null, emailVerified: false });
  t.same(body.data.roles, ['LEARNER']);
});

t.test('a verified token confirms a provisional account and replaces its data', async (t) => {
  const { anonymous, resolve } = await emptyIdentity();
  const { body } = await anonymous.post('/api/auth/sync', { ...hint, email: 'wrong@lms.test' });
  const { body: principal } = await resolve({ identityProviderId: 'idp_new', email: 'right@lms.test' });
  t.match(userOf({ body: principal }), {
    userId: body.data.id,
    email: 'right@lms.test',
    emailVerified: true,
    roles: '<LEARNER>',
  });
  t.equal(principal.data.firstName, null, 'the names of the hint are removed');
});

t.test('a hint with correct data becomes a confirmed account as well', async (t) => {
  const { anonymous, resolve, webhook } = await emptyIdentity();
  await anonymous.post('/api/auth/sync', { userId: 'idp_1', email: 'idp_1@lms.test' });
  await webhook(
    'user.created',
    account('idp_1', { ...unverifiedEmail('idp_1@lms.test'), first_name: null, last_name: null }),
  );
  const { body } = await resolve({ identityProviderId: 'idp_1', emailVerified: false });
  t.match(userOf({ body }), { status: 'ACTIVE', emailVerified: false, roles: '<LEARNER>' });
});

t.test('names from a hint are removed by the state of the provider, even if it has no names', async (t) => {
  const { anonymous, webhook, resolve } = await emptyIdentity();
  await anonymous.post('/api/auth/sync', { userId: 'idp_1', email: 'x@lms.test', firstName: 'Evil', lastName: 'Twin' });
  await webhook('user.created', account('idp_1', { first_name: undefined, last_name: undefined }));
  t.match((await resolve({ identityProviderId: 'idp_1' })).body.data, { firstName: null, lastName: null });
});

t.test('a provisional account never becomes an admin by its e-mail, used or not', async (t) => {
  const { anonymous, resolve, signIn, as, webhook } = await startIdentity(t, {
    adminEmails: new Set(['boss@lms.test', 'head@lms.test']),
  });
  const { id } = (await anonymous.post('/api/auth/sync', { userId: 'idp_thief', email: 'head@lms.test' })).body.data;
  const attempts = [
    { identityProviderId: 'idp_thief', email: null, emailVerified: false },
    { identityProviderId: 'idp_thief', email: 'head@lms.test', emailVerified: false },
    { identityProviderId: 'idp_thief', email: null, emailVerified: true },
  ];
  for (const token of attempts)
    t.match(userOf(await resolve(token)), { userId: id, emailVerified: false, roles: '<LEARNER>' });
  const unverified = account('idp_thief', unverifiedEmail('head@lms.test'));
  await webhook('user.updated', unverified);
  const boss = await signIn('boss');
  t.same((await as(boss).get(`/api/users/${id}`)).body.data.roles, ['LEARNER']);
});

t.test('an unused provisional account is closed when another user verifies its e-mail', async (t) => {
  const { anonymous, resolve, as, signIn, events } = await emptyIdentity();
  const boss = await signIn('boss');
  const token = { identityProviderId: 'idp_new', email: null, emailVerified: false };
  const { id } = (await anonymous.post('/api/auth/sync', { ...hint, email: 'prof@lms.test' })).body.data;
  await as(boss).post(`/api/users/${id}/roles`, { role: 'MENTOR' });
  const prof = await resolve({ identityProviderId: 'idp_prof', email: 'prof@lms.test' });
  t.match(
    userOf(prof),
    { email: 'prof@lms.test', emailVerified: true, roles: '<LEARNER>' },
    'the other user gets none of its roles',
  );
  t.not(prof.body.data.userId, id);

  const closed = (await as(boss).get(`/api/users/${id}`)).body.data;
  const ended = { identityProviderId: null, email: `displaced-${id}@invalid`, emailVerified: false };
  t.match(userOf({ body: { data: closed } }), { ...ended, firstName: null, roles: '<>', status: 'INACTIVE' });
  t.match(
    closed.userRoles,
    [
      { role: 'MENTOR', isActive: false, assignedBy: boss.userId },
      { role: 'LEARNER', isActive: false },
    ],
    'its history stays',
  );
  t.match(
    (await events()).findLast(({ aggregateId }) => aggregateId === id),
    {
      type: 'identity.user.deleted',
      data: { identityProviderId: null, status: 'INACTIVE', roles: [] },
    },
  );
  t.equal(
    (await as(boss).post(`/api/users/${id}/roles`, { role: 'ADMIN' })).status,
    409,
    'assigning a role does not reopen it',
  );
  t.match(await resolve(token), { status: 403, body: { code: 'FORBIDDEN', error: 'User not synchronised' } });

  const second = await anonymous.post('/api/auth/sync', { ...hint, email: 'own@lms.test' });
  t.equal(second.status, 201, 'a wrong hint does not lock out the owner of the provider id');
  t.match(userOf(await resolve(token)), { userId: second.body.data.id, email: 'own@lms.test', roles: '<LEARNER>' });
});

t.test('a provisional account in use stays a learner without the e-mail that another user verifies', async (t) => {
  const { anonymous, resolve, as, signIn } = await emptyIdentity();
  const boss = await signIn('boss');
  const token = { identityProviderId: 'idp_new', email: null, emailVerified: false };
  const { id } = (await anonymous.post('/api/auth/sync', { ...hint, email: 'prof@lms.test' })).body.data;
  t.equal((await resolve(token)).status, 200);
  for (const role of ['MENTOR', 'ADMIN']) await as(boss).post(`/api/users/${id}/roles`, { role });
  t.same((await resolve(token)).body.data.roles, ['LEARNER', 'MENTOR', 'ADMIN']);
  t.equal((await resolve({ identityProviderId: 'idp_prof', email: 'prof@lms.test' })).status, 200);
  t.match(userOf(await resolve(token)), {
    userId: id,
    email: `displaced-${id}@invalid`,
    firstName: 'New',
    roles: '<LEARNER>',
    status: 'ACTIVE',
  });
  const proven = await resolve({ identityProviderId: 'idp_new', email: 'own@lms.test', firstName: 'Ann' });
  t.match(proven.body.data, { userId: id, email: 'own@lms.test', emailVerified: true, firstName: 'Ann' });
  await as(boss).post(`/api/users/${id}/roles`, { role: 'MENTOR' });
  t.match(userOf(await resolve(token)), { roles: '<LEARNER,MENTOR>' }, 'roles assigned later stay');
});

t.test('anonymizing an account with a wrong hint publishes no hash of the owner’s e-mail', async (t) => {
  const { anonymous, resolve, as, signIn, webhook, events } = await emptyIdentity();
  const boss = await signIn('boss');
  const ids = [];
  for (const [userId, isUsed] of [
    ['idp_used', true],
    ['idp_unused', false],
  ] as const) {
    const email = `${userId}@lms.test`;
    ids.push((await anonymous.post('/api/auth/sync', { userId, email })).body.data.id);
    if (isUsed) await resolve({ identityProviderId: userId, email: null, emailVerified: false });
    await resolve({ identityProviderId: `${userId}_owner`, email });
    await webhook('user.updated', account(`${userId}_owner`, { email_addresses: [`other.${email}`] }));
  }
  for (const id of ids) {
    t.equal((await as(boss).post(`/api/users/${id}/anonymize`)).status, 200);
    const hashes: string[] = Object((await events()).at(-1)?.data).identifierHashes;
    for (const email of ['idp_used@lms.test', 'idp_unused@lms.test'])
      t.notOk(hashes.includes(createHash('sha256').update(email).digest('hex')), email);
  }
});

t.test('a token with an e-mail of another verified user does not confirm a provisional account', async (t) => {
  const { anonymous, resolve, signIn } = await emptyIdentity();
  const ann = await signIn('ann');
  const { id } = (await anonymous.post('/api/auth/sync', hint)).body.data;
  const refused = await resolve({ identityProviderId: 'idp_new', email: 'ann@lms.test' });
  t.match(refused, { status: 403, body: { code: 'FORBIDDEN', error: 'User not synchronised' } });
  t.match((await resolve({ identityProviderId: ann.identityProviderId })).body.data, { userId: ann.userId });
  t.match((await anonymous.post('/api/auth/sync', hint)).body.data, { id, synced: false });
});

t.test('a first token and another user who verifies the same e-mail can arrive concurrently', async (t) => {
  const { anonymous, resolve } = await emptyIdentity();
  for (let round = 0; round < 8; round += 1) {
    const [identityProviderId, email] = [`idp_new_${round}`, `prof_${round}@lms.test`];
    const token = { identityProviderId, email: null, emailVerified: false };
    await anonymous.post('/api/auth/sync', { userId: identityProviderId, email });
    const [, prof] = await Promise.all([resolve(token), resolve({ identityProviderId: `idp_prof_${round}`, email })]);
    t.match(prof.body.data, { email, emailVerified: true });
    const after = await resolve(token);
    if (after.status === 200) t.match(userOf(after), { email: /^displaced-/, roles: '<LEARNER>', status: 'ACTIVE' });
    else t.match(after, { status: 403, body: { error: 'User not synchronised' } });
  }
});

t.test('a sync whose provisional account is being closed creates a new account and returns 201', async (t) => {
  const { anonymous, resolve, as, database } = await emptyIdentity();
  const { id } = (await anonymous.post('/api/auth/sync', { ...hint, email: 'prof@lms.test' })).body.data;
  const inFlight: ReturnType<typeof resolve>[] = [];
  await database.sql.begin(async (sql) => {
    await sql`select id from users where id = ${id} for update`;
    inFlight.push(resolve({ identityProviderId: 'idp_prof', email: 'prof@lms.test' }));
    await untilLocked(database);
    inFlight.push(resolve({ identityProviderId: 'idp_new', email: 'new@lms.test' }));
    await untilLocked(database, 2);
  });
  const [, resolved] = await Promise.all(inFlight);
  const principal = resolved?.body.data;
  t.not(principal.userId, id);
  t.match(await as(principal).post('/api/auth/sync', { ...hint, email: 'new@lms.test' }), {
    status: 201,
    body: { data: { id: principal.userId, email: 'new@lms.test' } },
  });
});

t.test('a webhook for an account that is being closed creates a new account', async (t) => {
  const { anonymous, resolve, webhook, database } = await emptyIdentity();
  const { id } = (await anonymous.post('/api/auth/sync', { ...hint, email: 'prof@lms.test' })).body.data;
  const inFlight: Promise<unknown>[] = [];
  await database.sql.begin(async (sql) => {
    await sql`select id from users where id = ${id} for update`;
    inFlight.push(resolve({ identityProviderId: 'idp_prof', email: 'prof@lms.test' }));
    await untilLocked(database);
    inFlight.push(webhook('user.created', account('idp_new')));
    await untilLocked(database, 2);
  });
  await Promise.all(inFlight);
  const { data } = (await resolve({ identityProviderId: 'idp_new', email: null, emailVerified: false })).body;
  t.match(userOf({ body: { data } }), {
    email: 'idp_new@lms.test',
    emailVerified: true,
    roles: '<LEARNER>',
    status: 'ACTIVE',
  });
  t.not(data.userId, id);
});

t.test('a hint with the e-mail of another user returns 409', async (t) => {
  const { anonymous, signIn } = await emptyIdentity();
  await signIn('ann');
  const { status, body } = await anonymous.post('/api/auth/sync', { userId: 'idp_eve', email: 'ANN@lms.test' });
  t.equal(status, 409);
  t.match(body, { code: 'CONFLICT', details: { resource: 'user', field: 'email', value: 'ANN@lms.test' } });
});

t.test('concurrent equal hints create one user', async (t) => {
  const { anonymous } = await emptyIdentity();
  const responses = await Promise.all(Array.from({ length: 8 }, () => anonymous.post('/api/auth/sync', hint)));
  t.same(responses.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201]);
  const rivals = await Promise.all(
    ['a', 'b', 'c'].map((userId) => anonymous.post('/api/auth/sync', { userId, email: 'one@lms.test' })),
  );
  t.same(rivals.map(({ status }) => status).sort(), [201, 409, 409]);
});

t.test('with a token you can only synchronise yourself', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const ann = await signIn('ann');
  const own = await as(ann).post('/api/auth/sync', { userId: ann.identityProviderId, email: 'eve@lms.test' });
  t.equal(own.status, 200);
  t.match(own.body.data, { id: ann.userId, email: 'ann@lms.test', roles: ['LEARNER'], synced: true });
  const foreign = await as(ann).post('/api/auth/sync', { userId: 'idp_eve', email: 'ann@lms.test' });
  t.equal(foreign.status, 403);
  t.equal(foreign.body.code, 'FORBIDDEN');
});

t.test('a deleted account is not created again by a hint', async (t) => {
  const { anonymous, webhook } = await emptyIdentity();
  await webhook('user.created', account('idp_new'));
  await webhook('user.deleted', { id: 'idp_new' });
  t.equal((await anonymous.post('/api/auth/sync', hint)).status, 200, 'the row still exists');
  await webhook('user.deleted', { id: 'idp_never' });
  const { status, body } = await anonymous.post('/api/auth/sync', { userId: 'idp_never', email: 'never@lms.test' });
  t.match({ status, code: body.code }, { status: 403, code: 'ACCOUNT_INACTIVE' });
});

t.test('an invalid body is rejected', async (t) => {
  const { anonymous, send } = await emptyIdentity();
  const invalid: Record<string, object> = {
    userId: { ...hint, userId: 7 },
    email: { ...hint, email: 'invalid' },
    firstName: { ...hint, firstName: 'n'.repeat(201) },
    lastName: { ...hint, lastName: 'a\0b' },
  };
  for (const [field, payload] of Object.entries(invalid)) {
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

t.test('a hint with an Idempotency-Key is processed once, and its response is replayed', async (t) => {
  const { send } = await emptyIdentity();
  const sync = (payload: object, key = 'hint-1') =>
    send('POST', '/api/auth/sync', { payload, headers: { 'idempotency-key': key } });
  const first = await sync(hint);
  t.equal(first.status, 201);
  const again = await sync(hint);
  t.match(again, { status: 201, headers: { 'idempotency-replayed': 'true' } });
  t.same(again.body, first.body);
  t.equal((await sync({ ...hint, firstName: 'Other' })).status, 422);
  t.equal((await sync(hint, 'hint-2')).status, 200);
  t.equal((await sync(hint, 'é')).status, 422);
});

t.test('a verified e-mail of a token with iat replaces the e-mail of a known account', async (t) => {
  const { resolve, webhook, as, signIn, events } = await emptyIdentity();
  const ann = await signIn('ann');
  const { identityProviderId } = ann;
  const moved = { identityProviderId, email: 'New@LMS.test' };
  const emailAfter = async (claims: Parameters<typeof resolve>[0]) => (await resolve(claims)).body.data.email;
  const now = Math.floor(Date.now() / 1_000);

  t.equal(await emailAfter(moved), 'ann@lms.test', 'a token without iat changes nothing');
  t.equal(await emailAfter({ ...moved, issuedAt: now, emailVerified: false }), 'ann@lms.test');
  t.equal(await emailAfter({ ...moved, issuedAt: now }), 'new@lms.test');
  t.match((await as(ann).get('/api/auth/profile')).body.data, { email: 'new@lms.test', emailVerified: true });
  t.match((await events()).at(-1), {
    type: 'identity.user.updated',
    changes: { email: { from: 'ann@lms.test', to: 'new@lms.test' } },
  });

  const later = { email_addresses: [{ email_address: 'later@lms.test' }], updated_at: (now + 5) * 1_000 };
  await webhook('user.updated', account(identityProviderId, later));
  t.equal(
    await emailAfter({ ...moved, issuedAt: now }),
    'later@lms.test',
    'a later state of the provider takes precedence',
  );
  t.equal(await emailAfter({ ...moved, issuedAt: now + 6 }), 'new@lms.test');
});

t.test('storing an e-mail of a token that belongs to another user returns a conflict', async (t) => {
  const { resolve, signIn } = await emptyIdentity();
  const ann = await signIn('ann');
  await signIn('bea');
  const claims = { identityProviderId: ann.identityProviderId, email: 'bea@lms.test', issuedAt: Date.now() / 1_000 };
  t.match(await resolve(claims), {
    status: 409,
    body: { code: 'CONFLICT', details: { resource: 'user', field: 'email', value: 'bea@lms.test' } },
  });
  t.match(await resolve({ ...claims, identityProviderId: 'idp_new' }), { status: 403, body: { code: 'FORBIDDEN' } });
  t.match((await resolve({ ...claims, email: 'ann@lms.test' })).body.data, { email: 'ann@lms.test' });
});
