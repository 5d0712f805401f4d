import { createId } from '@lms/database/columns';
import t from 'tap';
import { shareIdentity } from './identity.ts';

const emptyIdentity = await shareIdentity(t);

t.test('the list supports every filter, sort and search of its contract', async (t) => {
  const { as, resolve, signIn } = await emptyIdentity();
  const boss = await signIn('boss');
  const { get, put, post } = as(boss);
  const ids: Record<string, string> = {};
  for (const [name, firstName, lastName] of [
    ['ann', 'Ann', 'Zeta'],
    ['bob', 'Bob', '100%_sure\\'],
    ['cleo', 'CLÉO', 'Ypsilon'],
  ] as const)
    ids[name] = (
      await resolve({ identityProviderId: `idp_${name}`, email: `${name}@lms.test`, firstName, lastName })
    ).body.data.userId;
  await put(`/api/users/${ids.bob}`, { status: 'SUSPENDED', plan: 'PRO' });
  await post(`/api/users/${ids.cleo}/roles`, { role: 'MENTOR' });

  const names = async (query: string) =>
    (await get(`/api/users?${query}`)).body.data.map(({ email }: { email: string }) => email.split('@')[0]);
  const expected: Record<string, string[]> = {
    '': ['cleo', 'bob', 'ann', 'boss'],
    'order=asc': ['boss', 'ann', 'bob', 'cleo'],
    'sort=email&order=asc': ['ann', 'bob', 'boss', 'cleo'],
    'sort=lastName&order=asc&search=lms': ['bob', 'cleo', 'ann', 'boss'],
    'sort=firstName&order=asc&role=LEARNER&limit=2': ['ann', 'bob'],
    'sort=updatedAt&limit=1': ['bob'],
    'role=MENTOR': ['cleo'],
    'role=ADMIN': ['boss'],
    'status=SUSPENDED': ['bob'],
    'plan=PRO&status=SUSPENDED&role=LEARNER&search=BOB': ['bob'],
    'plan=ENTERPRISE': [],
    'search=ANN@LMS': ['ann'],
    'search=ann%20zeta': ['ann'],
    'search=cl%C3%A9o': ['cleo'],
    'search=CLE%CC%81O': ['cleo'],
    'search=%25': ['bob'],
    'search=_': ['bob'],
    'search=%5C': ['bob'],
    'search=0%25_': ['bob'],
    'search=x_x': [],
    'createdFrom=2100-01-01': [],
    'createdTo=2000-01-01T00:00:00.000Z': [],
    'updatedFrom=2000-01-01&sort=email&order=asc&limit=1&page=4': ['cleo'],
    'page=9': [],
  };
  for (const [query, found] of Object.entries(expected)) t.same(await names(query), found, query || 'no query');

  const page = await get('/api/users?limit=3&page=1&sort=email');
  t.match(page.body.pagination, { page: 1, limit: 3, total: 4, pages: 2, hasNext: true, hasPrev: false });
  t.match(page.headers.link, /rel="next"/);
  t.ok(page.headers.etag);
});

t.test('out-of-range queries return 422; they are never clamped', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const { get } = as(await signIn('boss'));
  for (const query of [
    'page=0',
    'limit=101',
    'limit=x',
    'sort=password',
    'order=up',
    'role=BOSS',
    'status=gone',
    'plan=free',
    'search=',
    `search=${'s'.repeat(101)}`,
    'search=%00',
    'createdFrom=yesterday',
    'search=a&search=b',
  ])
    t.equal((await get(`/api/users?${query}`)).status, 422, query);
});

t.test('only admins can read and change users, and an impossible id returns 404', async (t) => {
  const { as, signIn, anonymous } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  t.equal((await anonymous.get('/api/users')).status, 401);
  for (const url of ['/api/users', `/api/users/${boss.userId}`]) t.equal((await as(ann).get(url)).status, 403, url);
  t.equal((await as(ann).put(`/api/users/${ann.userId}`, { plan: 'PRO' })).status, 403);
  for (const id of ['x', '%F0%9F%98%80', 'a'.repeat(300), createId(), "'%20or%201=1--"])
    for (const response of [
      await as(boss).get(`/api/users/${id}`),
      await as(boss).put(`/api/users/${id}`, { plan: 'PRO' }),
    ])
      t.equal(response.status, 404, id);
  t.equal((await as(boss).get(`/api/users/${createId()}`)).body.error, 'User not found');
});

t.test('an admin changes the editable fields only, and the audit trail records the old and new values', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const { get, put } = as(boss);
  const url = `/api/users/${ann.userId}`;
  const before = (await get(url)).body.data;
  const { body } = await put(url, {
    ...before,
    firstName: 'Anna',
    plan: 'PRO',
    status: 'SUSPENDED',
    statusReason: 'Asked for it',
    email: 'eve@lms.test',
    roles: ['ADMIN'],
    userRoles: [],
    id: boss.userId,
    identityProviderId: 'idp_eve',
    emailVerified: false,
    deletedAt: '2026-01-01T00:00:00.000Z',
  });
  const { updatedAt: _then, ...rest } = before;
  const changed = { firstName: 'Anna', plan: 'PRO', status: 'SUSPENDED', statusReason: 'Asked for it' };
  const { updatedAt: _now, ...now } = body.data;
  t.same(now, { ...rest, ...changed });

  const again = await put(url, changed);
  t.equal(again.body.data.updatedAt, body.data.updatedAt, 'an update without changes has no effect');
  const { data } = (await get(`/api/admin/audit?entity=user&entityId=${ann.userId}`)).body;
  t.equal(data.length, 1);
  t.match(data[0], {
    actorId: boss.userId,
    action: 'user.updated',
    changes: {
      firstName: { from: null, to: 'Anna' },
      plan: { from: 'FREE', to: 'PRO' },
      status: { from: 'ACTIVE', to: 'SUSPENDED' },
      statusReason: { from: null, to: 'Asked for it' },
    },
  });
  t.match(data[0].requestId, /^[\w-]{8,64}$/);

  const active = await put(url, { status: 'ACTIVE' });
  t.match(active.body.data, { status: 'ACTIVE', statusReason: null }, 'the reason is cleared with the status');
});

t.test('an invalid body is rejected', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const invalid: Record<string, unknown>[] = [
    {},
    { firstName: 5 },
    { lastName: 'n'.repeat(201) },
    { status: 'GONE' },
    { status: null },
    { plan: 'GOLD' },
    { statusReason: 'r'.repeat(1_001) },
    { statusReason: 'a\0b' },
    { firstName: '\udfff' },
  ];
  for (const body of invalid)
    t.equal((await as(boss).put(`/api/users/${ann.userId}`, body)).status, 422, JSON.stringify(body));
});

t.test('only the allowed status changes succeed', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const { put } = as(boss);
  const change = (status: string) => put(`/api/users/${ann.userId}`, { status });
  const steps: [string, number][] = [
    ['SUSPENDED', 200],
    ['SUSPENDED', 200],
    ['INACTIVE', 200],
    ['SUSPENDED', 409],
    ['ACTIVE', 200],
    ['INACTIVE', 200],
    ['ACTIVE', 200],
    ['SUSPENDED', 200],
    ['ACTIVE', 200],
  ];
  for (const [status, expected] of steps) t.equal((await change(status)).status, expected, status);
  await change('INACTIVE');
  t.match((await change('SUSPENDED')).body, {
    code: 'INVALID_STATE',
    details: { current: 'INACTIVE', allowed: ['ACTIVE'] },
  });

  const own = await put(`/api/users/${boss.userId}`, { status: 'INACTIVE' });
  t.match(own, { status: 409, body: { code: 'INVALID_STATE' } });
  t.equal((await put(`/api/users/${boss.userId}`, { status: 'ACTIVE', lastName: 'Boss' })).status, 200);
});

t.test('of two admins who suspend each other concurrently one stays active', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const boss = await signIn('boss');
  for (let round = 0; round < 5; round += 1) {
    const rival = await signIn(`rival${round}`);
    await as(boss).post(`/api/users/${rival.userId}/roles`, { role: 'ADMIN' });
    const [one, other] = await Promise.all([
      as({ ...rival, roles: ['ADMIN'] }).put(`/api/users/${boss.userId}`, { status: 'SUSPENDED' }),
      as(boss).put(`/api/users/${rival.userId}`, { status: 'SUSPENDED' }),
    ]);
    t.same([one?.status, other?.status].sort(), [200, 409]);
    t.equal((one?.status === 409 ? one : other)?.body.code, 'LAST_ADMIN');
    await as(boss).put(`/api/users/${boss.userId}`, { plan: 'PRO' });
    await as({ ...rival, roles: ['ADMIN'] }).put(`/api/users/${boss.userId}`, { status: 'ACTIVE' });
    await as(boss).delete(`/api/users/${rival.userId}/roles`, { role: 'ADMIN' });
  }
});

t.test('the audit trail has concurrent changes of a user in the order in which they were made', async (t) => {
  const { as, signIn } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
  await Promise.all(names.map((firstName) => as(boss).put(`/api/users/${ann.userId}`, { firstName })));
  const { body } = await as(boss).get(`/api/admin/audit?entityId=${ann.userId}`);
  const entries = new Map<string | null, { createdAt: string; changes: { firstName: { from: string; to: string } } }>(
    body.data.map((entry: { changes: { firstName: { from: string | null } } }) => [
      entry.changes.firstName.from,
      entry,
    ]),
  );
  const times: string[] = [];
  for (let entry = entries.get(null); entry; entry = entries.get(entry.changes.firstName.to))
    times.push(entry.createdAt);
  t.equal(times.length, names.length);
  t.same(times, times.toSorted());
});

t.test('a principal is returned to the user, to an admin and to the gateway', async (t) => {
  const { as, signIn, anonymous, webhook } = await emptyIdentity();
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  await as(boss).put(`/api/users/${ann.userId}`, { status: 'SUSPENDED' });
  const url = `/internal/principals/${ann.userId}`;
  for (const caller of [ann, boss, null])
    t.match(await as(caller).get(url), { status: 200, body: { data: { userId: ann.userId, status: 'SUSPENDED' } } });
  t.equal((await as(ann).get(`/internal/principals/${boss.userId}`)).status, 404);
  t.equal((await as(boss).get(`/internal/principals/${createId()}`)).status, 404);
  t.equal((await as(boss).get('/internal/principals/x')).status, 404);
  t.equal((await anonymous.get(url)).status, 401);
  await webhook('user.deleted', { id: ann.identityProviderId });
  for (const caller of [ann, boss, null])
    t.match(await as(caller).get(url), { status: 404, body: { error: 'User not found' } }, 'not of a deleted user');
});
