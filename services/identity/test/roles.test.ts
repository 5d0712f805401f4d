import { createId } from '@lms/database/columns';
import t from 'tap';
import { shareIdentity } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

t.test('an assigned role is active immediately and published', async (t) => {
  const { as, signIn, events } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const { status, body } = await as(boss).post(`/api/users/${ann.userId}/roles`, { role: 'MENTOR', isActive: false });
  t.equal(status, 201);
  t.match(body.data, {
    userId: ann.userId,
    role: 'MENTOR',
    isActive: true,
    assignedBy: boss.userId,
    effectiveEndDate: null,
  });
  t.same((await as(boss).get(`/api/users/${ann.userId}`)).body.data.roles, ['LEARNER', 'MENTOR']);
  t.match((await events()).at(-1), {
    type: 'identity.user.role-changed',
    aggregateId: ann.userId,
    version: 2,
    actorId: boss.userId,
    data: { roles: ['LEARNER', 'MENTOR'] },
    changes: { roles: { from: ['LEARNER'], to: ['LEARNER', 'MENTOR'] } },
  });
});

t.test('assigning an active role ends the old assignment at the instant that the new one starts', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const { body } = await as(boss).post(`/api/users/${ann.userId}/roles`, { role: 'LEARNER' });
  const { userRoles, roles } = (await as(boss).get(`/api/users/${ann.userId}`)).body.data;
  t.same(roles, ['LEARNER']);
  t.equal(userRoles.length, 2);
  t.same(userRoles[0], body.data);
  t.match(userRoles[1], { isActive: false, assignedBy: null, effectiveEndDate: body.data.effectiveStartDate });
});

t.test('concurrent requests to assign a role leave one active assignment', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => as(boss).post(`/api/users/${ann.userId}/roles`, { role: 'MENTOR' })),
  );
  t.same(new Set(responses.map(({ status }) => status)), new Set([201]));
  const { userRoles } = (await as(boss).get(`/api/users/${ann.userId}`)).body.data;
  const mentor = userRoles.filter(({ role }: { role: string }) => role === 'MENTOR');
  t.equal(mentor.length, 10);
  t.equal(mentor.filter(({ isActive }: { isActive: boolean }) => isActive).length, 1);
});

t.test('the database rejects a second active assignment', async (t) => {
  const { database, signIn } = await emptyIdentity();
  const { userId } = await signIn('ann');
  const insert = database.sql`insert into user_roles (id, user_id, role) values (${createId()}, ${userId}, 'LEARNER')`;
  await t.rejects(insert, { code: '23505', constraint_name: 'user_roles_one_active' });
});

t.test('errors have an order: authentication, role, unknown user, invalid body', async (t) => {
  const { as, signIn, anonymous } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const url = `/api/users/${ann.userId}/roles`;
  t.equal((await anonymous.post(url, { role: 'MENTOR' })).status, 401);
  const forbidden = await as(ann).post(url, { role: 'ADMIN' });
  t.equal(forbidden.status, 403);
  t.same(forbidden.body.details, { required: ['ADMIN'], user_roles: ['LEARNER'] });
  t.equal((await as(boss).post('/api/users/unknown/roles', { role: 7 })).status, 404);
  t.equal((await as(boss).post(`/api/users/${createId()}/roles`, { role: 7 })).status, 422);
  const unknown = await as(boss).post(`/api/users/${createId()}/roles`, { role: 'MENTOR' });
  t.match(unknown, { status: 404, body: { code: 'NOT_FOUND', error: 'User not found' } });
  for (const body of [{}, { role: 'BOSS' }, { role: null }, { role: ['MENTOR'] }])
    t.equal((await as(boss).post(url, body)).status, 422, JSON.stringify(body));
});
