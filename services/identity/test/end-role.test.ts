import { createId } from '@lms/database/columns';
import t from 'tap';
import { shareIdentity } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

t.test('removing a role ends the assignment, keeps it in the history and publishes the change', async (t) => {
  const { as, signIn, events } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const { get, post, delete: remove } = as(boss);
  const url = `/api/users/${ann.userId}/roles`;
  const { body: given } = await post(url, { role: 'MENTOR' });
  const { status, body } = await remove(url, { role: 'MENTOR' });
  t.equal(status, 200);
  t.match(body.data, { id: given.data.id, role: 'MENTOR', isActive: false, effectiveEndDate: /Z$/ });
  t.match((await events()).at(-1), {
    type: 'identity.user.role-changed',
    data: { roles: ['LEARNER'] },
    changes: { roles: { from: ['LEARNER', 'MENTOR'], to: ['LEARNER'] } },
  });
  t.match(await remove(url, { role: 'MENTOR' }), { status: 404, body: { code: 'NOT_FOUND' } });

  await post(url, { role: 'MENTOR' });
  t.equal((await remove(`${url}?role=MENTOR`)).status, 200, 'the role may be in the query string');
  const history = (await get(url)).body;
  t.same(
    history.data.map(({ role, isActive }: { role: string; isActive: boolean }) => [role, isActive]),
    [
      ['MENTOR', false],
      ['MENTOR', false],
      ['LEARNER', true],
    ],
  );
  t.match(history.pagination, { total: 3 });
  t.equal((await get(`${url}?isActive=true`)).body.data.length, 1);
  t.equal((await get(`${url}?role=MENTOR&limit=1`)).body.pagination.pages, 2);
  t.same(
    (await get(`/api/admin/audit?entityId=${ann.userId}&action=user.role-changed&order=asc`)).body.data[0].changes,
    { roles: { from: ['LEARNER'], to: ['LEARNER', 'MENTOR'] } },
  );
});

t.test('unauthorized callers, unknown users and invalid requests are rejected', async (t) => {
  const { as, signIn, anonymous } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const url = `/api/users/${ann.userId}/roles`;
  t.equal((await anonymous.get(url)).status, 401);
  t.equal((await as(ann).get(url)).status, 403);
  t.equal((await as(ann).delete(url, { role: 'LEARNER' })).status, 403);
  for (const id of ['x', createId()]) {
    t.equal((await as(boss).get(`/api/users/${id}/roles`)).status, 404, id);
    t.equal((await as(boss).delete(`/api/users/${id}/roles`, { role: 'LEARNER' })).status, 404, id);
  }
  t.match(await as(boss).delete(url), { status: 422, body: { details: { field: 'role' } } });
  t.equal((await as(boss).delete(url, { role: 'BOSS' })).status, 422);
  t.equal((await as(boss).delete(`${url}?role=BOSS`)).status, 422);
  t.equal((await as(boss).delete(`${url}?role=MENTOR`, { role: 'LEARNER' })).status, 422);
  t.equal((await as(boss).get(`${url}?sort=role`)).status, 422);
});

t.test('the role of the last active admin cannot be removed', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const removeOwn = () => as(boss).delete(`/api/users/${boss.userId}/roles`, { role: 'ADMIN' });
  t.match(await removeOwn(), { status: 409, body: { code: 'LAST_ADMIN' } });
  await as(boss).post(`/api/users/${ann.userId}/roles`, { role: 'ADMIN' });
  await as(boss).put(`/api/users/${ann.userId}`, { status: 'SUSPENDED' });
  t.equal((await removeOwn()).body.code, 'LAST_ADMIN', 'a suspended admin does not count');
  t.equal((await as(boss).delete(`/api/users/${ann.userId}/roles`, { role: 'ADMIN' })).status, 200);
  t.equal(
    (await as(boss).post(`/api/users/${boss.userId}/roles`, { role: 'ADMIN' })).status,
    201,
    'assigning the role again is allowed',
  );
});

t.test('a provisional account does not count as an active admin', async (t) => {
  const { as, signIn, anonymous, resolve } = await emptyIdentity();
  const boss = await signIn('boss');
  const hint = (await anonymous.post('/api/auth/sync', { userId: 'idp_ann', email: 'ann@lms.test' })).body.data;
  const url = `/api/users/${hint.id}/roles`;
  await as(boss).post(url, { role: 'ADMIN' });
  const removeOwn = () => as(boss).delete(`/api/users/${boss.userId}/roles`, { role: 'ADMIN' });
  t.match(await removeOwn(), { status: 409, body: { code: 'LAST_ADMIN' } });
  t.equal((await as(boss).delete(url, { role: 'ADMIN' })).status, 200, 'the provisional account can lose the role');
  await as(boss).post(url, { role: 'ADMIN' });
  await resolve({ identityProviderId: 'idp_ann', email: 'ann@lms.test' });
  t.equal((await removeOwn()).status, 200, 'a token confirms the account, which counts then');
});

t.test('of two admins who remove each other concurrently one stays an admin', async (t) => {
  const { as, signIn, database } = await emptyIdentity();
  const boss = await signIn('boss');
  let incumbent = boss;
  for (let round = 0; round < 8; round += 1) {
    const rival = await signIn(`rival${round}`);
    await as(incumbent).post(`/api/users/${rival.userId}/roles`, { role: 'ADMIN' });
    const admin = { ...rival, roles: ['ADMIN' as const] };
    const [one, other] = await Promise.all([
      as(incumbent).delete(`/api/users/${rival.userId}/roles`, { role: 'ADMIN' }),
      as(admin).delete(`/api/users/${incumbent.userId}/roles`, { role: 'ADMIN' }),
    ]);
    t.same([one?.status, other?.status].sort(), [200, 409]);
    if (other?.status === 200) incumbent = admin;
    const left = await database.sql`select 1 from user_roles where role = 'ADMIN' and is_active`;
    t.equal(left.length, 1);
  }
});
