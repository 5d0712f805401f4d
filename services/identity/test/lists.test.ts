// cspell:ignore inci kostas İnci İNCİ ΚΩΣΤΑΣ κωστας Κώστας änne größe
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { startIdentity } from './identity.ts';

const migration = new URL('../migrations/0010_folded-searches.sql', import.meta.url);
const names = ['users', 'roles', 'audit', 'own', 'applications', 'pending'] as const;

/** Creates an admin, a learner, applications and changes, so that no list is empty. */
async function startWithItems(t: Test) {
  const identity = await startIdentity(t);
  const [boss, ann, bea] = [await identity.signIn('boss'), await identity.signIn('ann'), await identity.signIn('bea')];
  const asBoss = identity.as(boss);
  await asBoss.put(`/api/users/${ann.userId}`, { firstName: 'Änne', lastName: 'Smith' });
  await asBoss.put(`/api/users/${bea.userId}`, { lastName: '100 % _Größe_ \\' });
  const apply = async (motivation: string) => {
    const body = { motivation, experience: `${motivation} of years`, qualifications: 'Diploma' };
    return (await identity.as(ann).post('/api/mentor/apply', body)).body.data.id;
  };
  const rejected = await apply('100 % _ \\');
  await asBoss.put(`/api/admin/mentor/${rejected}/reject`, { reason: 'Not YET, sorry' });
  const pending = await apply('ÜBUNG');
  await asBoss.post(`/api/users/${ann.userId}/roles`, { role: 'MENTOR' });

  const admins = (path: string) => ({ path, as: asBoss });
  const lists = {
    users: { ...admins('/api/users'), sorts: ['createdAt', 'updatedAt', 'email', 'firstName', 'lastName'] },
    roles: { ...admins(`/api/users/${ann.userId}/roles`), sorts: ['effectiveStartDate'] },
    audit: { ...admins('/api/admin/audit'), sorts: ['createdAt'] },
    own: { path: '/api/mentor/application', as: identity.as(ann), sorts: ['createdAt'] },
    applications: { ...admins('/api/admin/mentor'), sorts: ['createdAt'] },
    pending: { ...admins('/api/admin/mentor/pending'), sorts: ['createdAt'] },
  };
  const list = (name: (typeof names)[number], query: Record<string, string>) =>
    lists[name].as.get(`${lists[name].path}?${new URLSearchParams(query)}`);
  return {
    ...identity,
    ...{ boss, ann, pending, rejected, lists, list },
    /** The number of items that a search finds in a list. */
    found: async (name: (typeof names)[number], search: string) => (await list(name, { search })).body.pagination.total,
  };
}

// The last test changes the dates of the items.
const { lists, list, found, database, boss, ann, rejected, pending } = await startWithItems(t);

t.test('every list accepts a search of up to 100 characters, dates and its own sorts only', async (t) => {
  for (const name of names) {
    const all = await list(name, {});
    t.ok(all.body.pagination.total > 0, `${name} has items`);
    t.match(await list(name, { search: 'x'.repeat(100) }), { status: 200, body: { pagination: { total: 0 } } }, name);
    const dates = ['createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'];
    const bad: [string, string][] = [
      ['search', 'x'.repeat(101)],
      ['search', ''],
      ['search', '  '],
      ['sort', 'position'],
      ['sort', ''],
      ['order', 'up'],
      ...dates.map((field): [string, string] => [field, 'yesterday']),
    ];
    for (const [field, value] of bad) {
      const { status, body } = await list(name, { [field]: value });
      t.match(
        { status, body },
        { status: 422, body: { code: 'VALIDATION_ERROR', details: { field } } },
        `${name} ${field}`,
      );
    }
    for (const sort of lists[name].sorts)
      for (const order of ['asc', 'desc']) t.equal((await list(name, { sort, order })).status, 200, `${name} ${sort}`);
    const long = {
      createdTo: '9999-12-31',
      updatedTo: '9999-12-31',
      createdFrom: '1970-01-01',
      updatedFrom: '1970-01-01',
    };
    t.equal(
      (await list(name, long)).body.pagination.total,
      all.body.pagination.total,
      `${name}: dates that include all items`,
    );
    for (const field of ['createdFrom', 'updatedFrom'])
      t.equal((await list(name, { [field]: '9999-12-31' })).body.pagination.total, 0, `${name}: ${field}`);
    for (const field of ['createdTo', 'updatedTo'])
      t.equal((await list(name, { [field]: '1970-01-01' })).body.pagination.total, 0, `${name}: ${field}`);
  }
});

t.test('%, _ and \\ are literal in every search', async (t) => {
  const expected: Record<(typeof names)[number], Record<string, number>> = {
    users: { '%': 1, _: 1, '\\': 1, '100 % _gr': 1, '_größe_ \\': 1, '1%0': 0, 'a_n@': 0, '\\\\': 0 },
    roles: { '%': 0, _: 0, '\\': 0, 'M%R': 0 },
    audit: { '%': 0, _: 0, '\\': 0, 'user%changed': 0, user_updated: 0 },
    own: { '%': 1, _: 1, '\\': 1, '100 % _ \\ of': 1, '1%0': 0, '%%': 0, __: 0, '\\\\': 0 },
    applications: { '%': 1, _: 1, '\\': 1, '100 % _ \\ of': 1, '1%0': 0, 'a_n@': 0, '\\\\': 0 },
    pending: { '%': 0, _: 0, '\\': 0, '%b%': 0, 'a_n@': 0 },
  };
  for (const name of names)
    for (const [text, total] of Object.entries(expected[name]))
      t.equal(await found(name, text), total, `${name}: ${text}`);
});

t.test('a search matches every searchable field, ignoring case', async (t) => {
  const requestId: string = (await list('audit', { action: 'user.role-changed' })).body.data[0].requestId;
  const expected: Record<(typeof names)[number], Record<string, number>> = {
    users: { ÄNNE: 1, 'änne smith': 1, 'ann@LMS': 1, 'lms.test': 3 },
    roles: { mentor: 1, Learner: 1, [boss.userId.toUpperCase()]: 1, [ann.userId]: 0 },
    audit: {
      'ROLE-changed': 1,
      'Mentor-Application': 1,
      [rejected.toUpperCase()]: 1,
      [ann.userId]: 2,
      [boss.userId]: 4,
      [requestId.toUpperCase()]: 1,
    },
    own: { übung: 1, 'OF years': 2, diploma: 2, 'not yet': 1, 'ann@lms': 0, änne: 0 },
    applications: { übung: 1, 'OF years': 2, diploma: 2, 'not yet': 1, 'ANN@lms': 2, 'ÄNNE smith': 2, bea: 0 },
    pending: { übung: 1, 'not yet': 0, 'ANN@lms': 1, 'ÄNNE smith': 1, bea: 0 },
  };
  for (const name of names)
    for (const [text, total] of Object.entries(expected[name]))
      t.equal(await found(name, text), total, `${name}: ${text}`);
});

t.test('a search ignores the case of Greek and Turkish letters, also in rows of earlier versions', async (t) => {
  const { signIn, as, database } = await startIdentity(t);
  const boss = as(await signIn('boss'));
  const { userId } = await signIn('kostas');
  await boss.put(`/api/users/${userId}`, { firstName: 'ΚΩΣΤΑΣ', lastName: 'İnci' });
  const check = async (version: string) => {
    for (const search of [
      'ΚΩΣ',
      'κως',
      'κωστας',
      'Κώστας'.normalize('NFD').replaceAll(/\p{M}/gu, ''),
      'inci',
      'İNCİ',
    ]) {
      const { body } = await boss.get(`/api/users?${new URLSearchParams({ search })}`);
      t.equal(body.pagination.total, 1, `${version}: ${search}`);
    }
  };
  await check('this version');
  const stored = `${'ΚΩΣΤΑΣ İnci'.toLowerCase()}\nkostas@lms.test`;
  await database.sql`update users set search_text = ${stored} where id = ${userId}`;
  await database.sql.unsafe(readFileSync(migration, 'utf8'));
  await check('an earlier version');
});

t.test('a search combines with filters, and its pages contain all counted items', async (t) => {
  t.equal((await list('applications', { search: 'diploma', status: 'REJECTED' })).body.pagination.total, 1);
  t.equal((await list('roles', { search: 'r', isActive: 'true', role: 'MENTOR' })).body.pagination.total, 1);
  t.equal((await list('audit', { search: 'user', action: 'user.updated' })).body.pagination.total, 2);
  const ids = [];
  for (const page of ['1', '2', '3']) {
    const { body } = await list('applications', { search: 'ann@lms', limit: '1', page, order: 'asc' });
    t.match(body.pagination, { total: 2, pages: 2 });
    ids.push(...body.data.map(({ id }: { id: string }) => id));
  }
  t.same(ids, [rejected, pending]);
});

t.test('date filters compare with the creation and the last change, include whole days and both ends', async (t) => {
  const total = async (name: (typeof names)[number], query: Record<string, string>) =>
    (await list(name, query)).body.pagination.total;

  await database.sql`update mentor_applications set created_at = '2024-01-02Z', updated_at = '2024-01-02Z'`;
  await database.sql`
    update mentor_applications set created_at = '2024-01-01T10:00Z', updated_at = '2024-03-01Z' where id = ${rejected}`;
  for (const name of ['own', 'applications'] as const) {
    t.equal(await total(name, { createdTo: '2024-01-01' }), 1, name);
    t.equal(await total(name, { createdFrom: '2024-01-02T00:00:00.000Z' }), 1, name);
    t.equal(await total(name, { updatedFrom: '2024-01-03', updatedTo: '2024-03-01T00:00:00.000Z' }), 1, name);
    t.equal(await total(name, { updatedTo: '2024-02-29' }), 1, name);
  }
  t.equal(await total('pending', { createdFrom: '2024-01-02', updatedTo: '2024-01-02' }), 1);
  t.equal(await total('pending', { updatedFrom: '2024-01-03' }), 0);

  // LEARNER from 1 January; MENTOR from 2 January to 1 March.
  const { userId } = ann;
  await database.sql`update user_roles set effective_start_date = '2024-01-01T10:00Z' where user_id = ${userId}`;
  await database.sql`
    update user_roles set effective_start_date = '2024-01-02Z', effective_end_date = '2024-03-01Z', is_active = false
    where user_id = ${userId} and role = 'MENTOR'`;
  const roles = async (query: Record<string, string>) =>
    (await list('roles', query)).body.data.map(({ role }: { role: string }) => role);
  t.same(await roles({ createdTo: '2024-01-01' }), ['LEARNER']);
  t.same(await roles({ createdFrom: '2024-01-02' }), ['MENTOR']);
  t.same(await roles({ updatedTo: '2024-01-31' }), ['LEARNER'], 'an active role compares by its start');
  t.same(
    await roles({ updatedFrom: '2024-01-31', updatedTo: '2024-03-01T00:00:00.000Z' }),
    ['MENTOR'],
    'an ended role compares by its end',
  );
  t.same(await roles({ createdTo: '2024-01-31', order: 'asc' }), ['LEARNER', 'MENTOR']);

  await database.sql`update audit_entries set created_at = '2024-01-01T10:00Z'`;
  await database.sql`update audit_entries set created_at = '2024-01-02Z' where action = 'user.role-changed'`;
  for (const field of ['created', 'updated']) {
    t.equal(await total('audit', { [`${field}From`]: '2024-01-02T00:00:00.000Z' }), 1, field);
    t.equal(await total('audit', { [`${field}To`]: '2024-01-01' }), 3, field);
  }
});
