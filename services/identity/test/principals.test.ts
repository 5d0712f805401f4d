import t from 'tap';
import { account, shareIdentity } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

t.test('a token with a verified e-mail creates a learner if the user is unknown', async (t) => {
  const { resolve, as, events } = await emptyIdentity();
  const { status, body } = await resolve({
    identityProviderId: 'idp_1',
    email: 'Ann@LMS.test',
    firstName: 'Ann',
    lastName: 'Smith',
  });
  t.equal(status, 200);
  t.match(body.data, {
    identityProviderId: 'idp_1',
    email: 'ann@lms.test',
    emailVerified: true,
    firstName: 'Ann',
    lastName: 'Smith',
    roles: ['LEARNER'],
    status: 'ACTIVE',
    plan: 'FREE',
  });
  t.match(await events(), [{ type: 'identity.user.created', aggregateId: body.data.userId, version: 1 }]);
  const { isNew, ...principal } = body.data;
  t.equal(isNew, true);

  const again = await resolve({ identityProviderId: 'idp_1', email: 'other@lms.test', firstName: 'Eve' });
  t.same(again.body.data, principal, 'a known user does not change, whatever the token contains');
  t.equal((await as(body.data).get('/api/auth/profile')).body.data.id, body.data.userId);
});

t.test('only the gateway can resolve principals', async (t) => {
  const { as, anonymous, signIn } = await emptyIdentity();
  const claims = { identityProviderId: 'x', email: 'x@lms.test', emailVerified: true, firstName: null, lastName: null };
  t.equal((await anonymous.post('/internal/principals', claims)).status, 401);
  t.equal((await as(await signIn('ann')).post('/internal/principals', claims)).status, 401);
});

t.test('a verified e-mail of BOOTSTRAP_ADMIN_EMAILS makes an admin', async (t) => {
  const { resolve } = await emptyIdentity();
  const admin = await resolve({ identityProviderId: 'idp_boss', email: 'BOSS@lms.test' });
  t.same(admin.body.data.roles, ['LEARNER', 'ADMIN']);
});

t.test('a token without its own verified e-mail is rejected', async (t) => {
  const { resolve, signIn, as } = await emptyIdentity();
  await signIn('ann');
  const attempts = {
    'unverified e-mail': { emailVerified: false },
    'no e-mail': { email: null },
    'a malformed e-mail': { email: 'invalid' },
    'an e-mail that is too long': { email: `${'x'.repeat(260)}@lms.test` },
    "another verified user's e-mail": { email: 'ANN@lms.test' },
  };
  for (const [title, claims] of Object.entries(attempts)) {
    const { status, body } = await resolve({ identityProviderId: 'idp_new', ...claims });
    t.equal(status, 403, title);
    t.match(body, { code: 'FORBIDDEN', error: 'User not synchronised' }, title);
  }
  const boss = (await resolve({ identityProviderId: 'idp_boss', email: 'boss@lms.test' })).body.data;
  t.equal((await as(boss).get('/api/users')).body.pagination.total, 2, 'no account was linked');
});

t.test('concurrent first requests create one user', async (t) => {
  const { resolve, as, events } = await emptyIdentity();
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => resolve({ identityProviderId: 'idp_boss', email: 'boss@lms.test' })),
  );
  t.same(new Set(responses.map(({ status }) => status)), new Set([200]));
  t.equal(new Set(responses.map(({ body }) => body.data.userId)).size, 1);
  t.equal(responses.filter(({ body }) => body.data.isNew).length, 1);
  t.equal((await as(responses[0]?.body.data).get('/api/users')).body.pagination.total, 1);
  t.equal((await events()).length, 1);
});

t.test('of concurrent identities with the same e-mail one is accepted', async (t) => {
  const { resolve } = await emptyIdentity();
  const claim = (identityProviderId: string) => resolve({ identityProviderId, email: 'same@lms.test' });
  const responses = await Promise.all([claim('idp_a'), claim('idp_b'), claim('idp_c')]);
  t.same(responses.map(({ status }) => status).sort(), [200, 403, 403]);
});

t.test('invalid claims return 422, never 500', async (t) => {
  const { as } = await emptyIdentity();
  const claims = { email: 'x@lms.test', emailVerified: true, firstName: null, lastName: null };
  for (const identityProviderId of ['', 'x'.repeat(256), 7, null])
    t.equal((await as(null).post('/internal/principals', { ...claims, identityProviderId })).status, 422);
  const long = await as(null).post('/internal/principals', {
    ...claims,
    identityProviderId: 'idp_long',
    firstName: 'n'.repeat(5_000),
  });
  t.equal(long.body.data.firstName.length, 200, 'a name that is too long is truncated');
});

t.test('a token verifies the e-mail of an account that the provider described as unverified', async (t) => {
  const { resolve, webhook, signIn } = await emptyIdentity();
  const unverified = (email_address: string) => [{ email_address, verification: { status: 'unverified' } }];
  await webhook('user.created', account('idp_1', { email_addresses: unverified('boss@lms.test') }));
  const before = await resolve({ identityProviderId: 'idp_1', emailVerified: false });
  t.match(
    before.body.data,
    { email: 'boss@lms.test', emailVerified: false, roles: ['LEARNER'] },
    'the account can sign in',
  );
  const proven = await resolve({ identityProviderId: 'idp_1', email: 'boss@lms.test', firstName: 'Eve' });
  t.match(proven.body.data, { emailVerified: true, roles: ['LEARNER', 'ADMIN'], firstName: 'Ann' });

  await webhook('user.created', account('idp_2', { email_addresses: unverified('two@lms.test') }));
  await signIn('ann');
  const taken = await resolve({ identityProviderId: 'idp_2', email: 'ann@lms.test' });
  t.match(taken.body.data, { email: 'two@lms.test', emailVerified: false }, 'the e-mail of another user is not linked');
});

t.test('an older token does not undo a later unverified e-mail of the provider', async (t) => {
  const { as, signIn, webhook, resolve, events } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  await as(boss).post(`/api/users/${ann.userId}/roles`, { role: 'ADMIN' });
  const deputy = as({ ...ann, roles: ['ADMIN'] });
  await deputy.delete(`/api/users/${boss.userId}/roles`, { role: 'ADMIN' });
  const email_addresses = [{ email_address: 'other@lms.test', verification: { status: 'unverified' } }];
  await webhook('user.updated', account('idp_boss', { updated_at: 2_000_000, email_addresses }));
  const published = (await events()).length;
  const resolveAt = (issuedAt: number) => resolve({ identityProviderId: 'idp_boss', email: 'boss@lms.test', issuedAt });
  t.match((await resolveAt(1_999)).body.data, { email: 'other@lms.test', emailVerified: false, roles: ['LEARNER'] });
  t.equal((await events()).length, published);
  t.match((await resolveAt(2_001)).body.data, { email: 'boss@lms.test', emailVerified: true });
});

t.test('a removed role does not return with the next token or webhook', async (t) => {
  const { resolve, webhook, as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  await as(boss).post(`/api/users/${ann.userId}/roles`, { role: 'ADMIN' });
  const deputy = { ...ann, roles: ['ADMIN' as const] };
  for (const role of ['ADMIN', 'LEARNER']) await as(deputy).delete(`/api/users/${boss.userId}/roles`, { role });
  await webhook('user.updated', account('idp_boss', { email_addresses: [{ email_address: 'boss@lms.test' }] }));
  t.same((await resolve({ identityProviderId: 'idp_boss', email: 'boss@lms.test' })).body.data.roles, []);
});

t.test('a deletion by the provider also deactivates the last admin', async (t) => {
  const { resolve, webhook, signIn } = await emptyIdentity();
  await signIn('boss');
  t.equal((await webhook('user.deleted', { id: 'idp_boss' })).body.data.status, 'processed');
  const { body } = await resolve({ identityProviderId: 'idp_boss', email: 'boss@lms.test' });
  t.match(body.data, { status: 'INACTIVE', roles: [] });
});

t.test('an admin finds users by id and by verified e-mail', async (t) => {
  const { as, anonymous, signIn, resolve } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  await anonymous.post('/api/auth/sync', { userId: 'idp_eve', email: 'eve@lms.test' });
  const eve = await resolve({ identityProviderId: 'idp_eve', email: 'eve@lms.test', emailVerified: false });
  const gone = await signIn('gone');
  await as(boss).post(`/api/users/${gone.userId}/anonymize`);
  const { userId, email, firstName, lastName } = ann;
  const found = { id: userId, email, firstName, lastName };
  const query = {
    ids: [eve.body.data.userId, userId, 'unknown', gone.userId],
    emails: ['eve@lms.test', ' ANN@lms.test', 'gone@lms.test'],
  };
  const { status, body } = await as(boss).post('/internal/users/lookup', query);
  t.equal(status, 200);
  t.match(body.data, { byId: [{ email: 'eve@lms.test' }, found, null, null], byEmail: [null, found, null] });
  t.equal((await as(boss).post('/internal/users/lookup', { ids: Array(501).fill('x'), emails: [] })).status, 422);
  t.equal((await as(ann).post('/internal/users/lookup', query)).status, 403);
  t.equal((await anonymous.post('/internal/users/lookup', query)).status, 401);
});
