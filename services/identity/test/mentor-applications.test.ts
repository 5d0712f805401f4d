import { createId } from '@lms/database/columns';
import t from 'tap';
import { account, type Identity, shareIdentity } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

const apply = (identity: Identity, user: Awaited<ReturnType<Identity['signIn']>>, body: object = {}) =>
  identity.as(user).post('/api/mentor/apply', body);

t.test('approving an application makes the learner a mentor immediately', async (t) => {
  const identity = await emptyIdentity();
  const { as, signIn, events } = identity;
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const subjectIds = [createId()];
  const { status, body } = await apply(identity, ann, {
    motivation: ' To teach ',
    experience: 'Ten years',
    qualifications: '',
    subjectIds,
    status: 'APPROVED',
    reviewedBy: ann.userId,
  });
  t.equal(status, 201);
  t.match(body.data, {
    userId: ann.userId,
    status: 'PENDING',
    motivation: 'To teach',
    experience: 'Ten years',
    qualifications: null,
    subjectIds,
    reviewedBy: null,
    reviewedAt: null,
    reviewNote: null,
  });
  const { id } = body.data;
  t.match((await as(boss).get('/api/admin/mentor/pending')).body.data, [
    { id, user: { id: ann.userId, email: 'ann@lms.test' } },
  ]);

  const approved = await as(boss).put(`/api/admin/mentor/${id}/approve`, { note: 'Welcome' });
  t.equal(approved.status, 200);
  t.match(approved.body.data, { status: 'APPROVED', reviewedBy: boss.userId, reviewNote: 'Welcome', reviewedAt: /Z$/ });
  const user = (await as(boss).get(`/api/users/${ann.userId}`)).body.data;
  t.same(user.roles, ['LEARNER', 'MENTOR']);
  t.equal(user.userRoles[0].assignedBy, boss.userId);
  t.same(
    (await events()).slice(-3).map(({ type }) => type),
    ['identity.mentor-application.submitted', 'identity.user.role-changed', 'identity.mentor-application.approved'],
  );
  const trail = (await as(boss).get('/api/admin/audit')).body.data;
  const actions = trail.map(({ action }: { action: string }) => action).sort();
  t.same(actions, ['mentor-application.approved', 'user.role-changed']);
  t.equal(trail[0].requestId, trail[1].requestId);
  t.match(await apply(identity, ann), { status: 409, body: { code: 'CONFLICT', details: { value: 'MENTOR' } } });
});

t.test('a decided application cannot be changed', async (t) => {
  const identity = await emptyIdentity();
  const { as, signIn } = identity;
  const boss = await signIn('boss');
  const decisions = {
    APPROVED: (id: string) => as(boss).put(`/api/admin/mentor/${id}/approve`),
    REJECTED: (id: string) => as(boss).put(`/api/admin/mentor/${id}/reject`, { reason: 'Not yet' }),
  };
  for (const end of ['APPROVED', 'REJECTED', 'WITHDRAWN'] as const) {
    const learner = await signIn(end.toLowerCase());
    const withdraw = (id: string) => as(learner).post(`/api/mentor/applications/${id}/withdraw`);
    const all = { ...decisions, WITHDRAWN: withdraw };
    const { id } = (await apply(identity, learner)).body.data;
    t.match(await all[end](id), { status: 200, body: { data: { status: end } } });
    for (const [next, move] of Object.entries(all))
      t.match(
        await move(id),
        { status: 409, body: { code: 'INVALID_STATE', details: { current: end } } },
        `${end} → ${next}`,
      );
    t.equal((await as(boss).get(`/api/admin/mentor/${id}`)).body.data.status, end);
    t.equal((await as(boss).get(`/api/admin/mentor?status=${end}`)).body.pagination.total, 1);
    if (end !== 'APPROVED') t.equal((await apply(identity, learner)).status, 201, 'the user can apply again');
  }
  const rejected = (await as(boss).get('/api/admin/mentor?status=REJECTED')).body.data[0];
  t.equal(rejected.reviewNote, 'Not yet');
});

t.test(
  'a decision repeated by the gateway, or with a key, gets the first response; other repetitions get a 409',
  async (t) => {
    const identity = await emptyIdentity();
    const { as, signIn, events } = identity;
    const boss = await signIn('boss');
    const other = { ...boss, userId: createId() };
    for (const decision of ['approve', 'reject'])
      for (const [header, retry] of [
        ['x-request-id', { 'x-lms-retry': '1' }],
        ['idempotency-key', {}],
      ] as const) {
        const { id } = (await apply(identity, await signIn(`${decision}-${header}`))).body.data;
        const decide = (user: typeof boss, given = {}) => as(user, given).put(`/api/admin/mentor/${id}/${decision}`);
        const first = await decide(boss, { [header]: 'one-decision' });
        t.equal(first.status, 200);
        const count = (await events()).length;
        const again = await decide(boss, { [header]: 'one-decision', ...retry });
        t.match(again, { status: 200, headers: { 'idempotency-replayed': 'true' } });
        t.same(again.body, first.body);
        t.match(await decide(boss), { status: 409, body: { code: 'INVALID_STATE' } });
        t.equal((await decide(boss, { [header]: 'another-request', ...retry })).status, 409);
        t.equal((await decide(other, { [header]: 'one-decision', ...retry })).status, 409);
        if (header === 'x-request-id') t.equal((await decide(boss, { [header]: 'one-decision' })).status, 409);
        t.equal((await events()).length, count);
      }
  },
);

t.test('concurrent applications of a user leave one pending application', async (t) => {
  const identity = await emptyIdentity();
  const ann = await identity.signIn('ann');
  const responses = await Promise.all(Array.from({ length: 10 }, () => apply(identity, ann)));
  t.same(responses.map(({ status }) => status).sort(), [201, ...Array.from({ length: 9 }, () => 409)]);
  t.match(responses.find(({ status }) => status === 409)?.body, {
    code: 'CONFLICT',
    details: { resource: 'mentor-application', field: 'userId', value: ann.userId },
  });
});

t.test('of concurrent decisions one succeeds, and the role follows it', async (t) => {
  const identity = await emptyIdentity();
  const { as, signIn } = identity;
  const boss = await signIn('boss');
  for (let round = 0; round < 5; round += 1) {
    const ann = await signIn(`ann${round}`);
    const { id } = (await apply(identity, ann)).body.data;
    const responses = await Promise.all([
      as(boss).put(`/api/admin/mentor/${id}/approve`),
      as(boss).put(`/api/admin/mentor/${id}/reject`),
      as(boss).put(`/api/admin/mentor/${id}/approve`),
      as(ann).post(`/api/mentor/applications/${id}/withdraw`),
    ]);
    t.same(responses.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    const status = responses.find((response) => response.status === 200)?.body?.data.status;
    const { roles } = (await as(boss).get(`/api/users/${ann.userId}`)).body.data;
    t.same(roles, status === 'APPROVED' ? ['LEARNER', 'MENTOR'] : ['LEARNER']);
  }
});

t.test('only the owner and admins can access an application', async (t) => {
  const identity = await emptyIdentity();
  const { as, signIn, anonymous } = identity;
  const [boss, ann, eve] = [await signIn('boss'), await signIn('ann'), await signIn('eve')];
  const { id } = (await apply(identity, ann)).body.data;
  t.equal((await anonymous.post('/api/mentor/apply', {})).status, 401);
  const mentorOnly = await apply(identity, { ...ann, roles: ['MENTOR'] });
  t.same(mentorOnly.body.details, { required: ['LEARNER'], user_roles: ['MENTOR'] });
  t.equal(
    (await as(eve).post(`/api/mentor/applications/${id}/withdraw`)).status,
    404,
    'the application of another user is not found',
  );
  t.same((await as(eve).get('/api/mentor/application')).body.data, []);
  t.match((await as(ann).get('/api/mentor/application')).body, { data: [{ id }], pagination: { total: 1 } });
  t.notOk('user' in (await as(ann).get('/api/mentor/application')).body.data[0]);
  for (const url of ['/api/admin/mentor', '/api/admin/mentor/pending', `/api/admin/mentor/${id}`])
    t.equal((await as(ann).get(url)).status, 403, url);
  for (const verdict of ['approve', 'reject'])
    t.equal((await as(ann).put(`/api/admin/mentor/${id}/${verdict}`)).status, 403, verdict);
  for (const absent of ['x', createId()]) {
    t.equal((await as(boss).get(`/api/admin/mentor/${absent}`)).status, 404);
    t.equal((await as(boss).put(`/api/admin/mentor/${absent}/approve`)).status, 404);
    t.equal((await as(boss).put(`/api/admin/mentor/${absent}/reject`)).status, 404);
    t.equal((await as(ann).post(`/api/mentor/applications/${absent}/withdraw`)).status, 404);
  }
});

t.test('pending applications are sorted oldest first, all applications newest first', async (t) => {
  const identity = await emptyIdentity();
  const { as, signIn } = identity;
  const boss = await signIn('boss');
  const made: string[] = [];
  for (const name of ['a', 'b', 'c']) made.push((await apply(identity, await signIn(name))).body.data.id);
  const ids = async (url: string) => (await as(boss).get(url)).body.data.map(({ id }: { id: string }) => id);
  t.same(await ids('/api/admin/mentor/pending'), made);
  t.same(await ids('/api/admin/mentor'), made.toReversed());
  t.same(await ids('/api/admin/mentor/pending?limit=1&page=2'), made.slice(1, 2));
  t.same(await ids('/api/admin/mentor?createdFrom=2100-01-01'), []);
  for (const query of ['status=OPEN', 'sort=status', 'limit=0'])
    t.equal((await as(boss).get(`/api/admin/mentor?${query}`)).status, 422, query);
});

t.test('an invalid body is rejected', async (t) => {
  const identity = await emptyIdentity();
  const [boss, ann] = [await identity.signIn('boss'), await identity.signIn('ann')];
  const invalid = [
    { motivation: 5 },
    { experience: 'x'.repeat(5_001) },
    { qualifications: 'a\0b' },
    { subjectIds: 'all' },
    { subjectIds: ['x'] },
    { subjectIds: Array.from({ length: 101 }, () => createId()) },
    { subjectIds: [boss.userId, boss.userId] },
  ];
  for (const body of invalid)
    t.equal((await apply(identity, ann, body)).status, 422, JSON.stringify(body).slice(0, 60));
  const { id } = (await apply(identity, ann)).body.data;
  for (const verdict of ['approve', 'reject']) {
    const body = { note: 'n'.repeat(1_001), reason: 'n'.repeat(1_001) };
    t.equal((await identity.as(boss).put(`/api/admin/mentor/${id}/${verdict}`, body)).status, 422, verdict);
  }
  const bare = await identity.app.inject({ method: 'PUT', url: `/api/admin/mentor/${id}/approve`, headers: {} });
  t.equal(bare.statusCode, 401);
});

t.test('deleting a user withdraws the pending application', async (t) => {
  const identity = await emptyIdentity();
  const { as, signIn, webhook } = identity;
  const boss = await signIn('boss');
  await webhook('user.created', account('idp_ann'));
  const ann = (await identity.resolve({ identityProviderId: 'idp_ann' })).body.data;
  const { id } = (await apply(identity, ann)).body.data;
  await webhook('user.deleted', { id: 'idp_ann' });
  t.equal((await as(boss).get(`/api/admin/mentor/${id}`)).body.data.status, 'WITHDRAWN');
  t.match(await apply(identity, ann), { status: 409, body: { code: 'INVALID_STATE' } });
});
