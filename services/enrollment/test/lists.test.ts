import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { startTestService } from './test-service.ts';

const service = await startTestService(t);
const { call, content, admin } = service;

const learner = testPrincipal(['LEARNER'], { firstName: 'Cléo', lastName: 'Lin_%d', email: 'cleo@lms.test' });
const subject = content.addSubject({ name: 'Café 100%' });
const topic = content.addTopic(subject.id);
const { enrollment } = await service.request(subject.id, learner, 'Please, back\\slash');
await call(admin, 'PUT', `/api/admin/enrollment/${enrollment.id}/approve`, { reason: 'Seat_7' });
const other = content.addSubject({ name: 'Botany' });
const { enrollment: pending } = await service.request(other.id, learner, 'Me too');
await call(learner, 'POST', `/api/learning/topics/${topic.id}/notes`, { content: 'RÉSUMÉ 50%' });
// An enrollment of another learner, which the lists of the first learner do not contain.
await service.enroll(
  subject.id,
  testPrincipal(['LEARNER'], { firstName: 'Grace', lastName: 'Hopper', email: 'grace@x.test' }),
);

const callers = { owner: learner, admin } as const;
const enrollmentSorts = ['requestedAt', 'decidedAt', 'status', 'createdAt', 'updatedAt'];
const userTexts = ['cléo', 'LIN_%D', 'cléo lin', 'CLEO@'];
const enrollmentTexts = ['BACK\\SLASH', 'seat_7', 'CAFÉ 100%', '%'];
const lists = [
  { path: '/api/enrollment', as: 'owner', sorts: enrollmentSorts, finds: enrollmentTexts, not: ['cléo', 'grace'] },
  {
    path: '/api/admin/enrollment',
    as: 'admin',
    sorts: enrollmentSorts,
    finds: [...userTexts, 'back\\', 'SEAT_7'],
    not: ['_%%'],
  },
  {
    path: '/api/admin/enrollment/pending',
    as: 'admin',
    sorts: enrollmentSorts,
    finds: [...userTexts, 'botany', 'ME TOO'],
    not: ['seat_7'],
  },
  {
    path: `/api/mentor/subjects/${subject.id}/learners`,
    as: 'admin',
    sorts: enrollmentSorts,
    finds: userTexts,
    not: ['seat_7', 'slash', 'café'],
  },
  {
    path: '/api/learning/progress',
    as: 'owner',
    sorts: ['name', 'createdAt', 'updatedAt'],
    finds: ['café', '0%'],
    not: ['_', 'botany'],
  },
  {
    path: `/api/learning/topics/${topic.id}/notes`,
    as: 'owner',
    sorts: ['createdAt', 'updatedAt'],
    finds: ['résumé', '50%'],
    not: ['_', 'café'],
  },
  {
    path: '/api/learning/notes',
    as: 'owner',
    sorts: ['createdAt', 'updatedAt'],
    finds: ['résumé', '50%'],
    not: ['_', 'café'],
  },
] as const;

for (const { path, as, sorts, finds, not } of lists)
  t.test(`${path} filters by text and dates, sorts, and returns 422 for invalid values`, async (t) => {
    const find = (query: Record<string, string>) => call(callers[as], 'GET', `${path}?${new URLSearchParams(query)}`);
    const count = async (query: Record<string, string>) => {
      const { status, data, pagination } = await find(query);
      t.equal(status, 200, JSON.stringify(query));
      t.equal(pagination.total, data.length, 'total matches the items');
      return data.length;
    };
    for (const search of finds)
      t.ok((await count({ search })) >= 1 && (await count({ search: `${search}!` })) === 0, search);
    for (const search of [...not, 'nowhere', '\\\\', 'x'.repeat(100)]) t.equal(await count({ search }), 0, search);

    const all = await count({});
    for (const [from, to] of [
      ['createdFrom', 'createdTo'],
      ['updatedFrom', 'updatedTo'],
    ] as const) {
      t.equal(await count({ [from]: '2000-01-01', [to]: '2999-12-31T23:59:59.999Z' }), all);
      t.equal(await count({ [from]: '2999-01-01' }), 0, from);
      t.equal(await count({ [to]: '2000-01-01' }), 0, to);
    }
    for (const sort of sorts)
      for (const order of ['asc', 'desc']) t.equal((await find({ sort, order })).status, 200, `${sort} ${order}`);
    for (const [field, value] of [
      ['search', ''],
      ['search', 'x'.repeat(101)],
      ['search', 'a\0b'],
      ['sort', 'id'],
      ['sort', 'constructor'],
      ['order', 'up'],
      ['createdFrom', 'never'],
      ['createdTo', '2026-02-30'],
      ['updatedFrom', '1'],
      ['updatedTo', '2026-13-01T00:00:00Z'],
    ] as const)
      t.match(await find({ [field]: value }), { status: 422, body: { details: { field } } }, `${field}=${value}`);
  });

t.test('both ends of a date range are included, and expiry counts as a change', async (t) => {
  const own = async (query: Record<string, string>) =>
    (await call(learner, 'GET', `/api/enrollment?${new URLSearchParams(query)}`)).data.map(
      ({ id }: { id: string }) => id,
    );
  const { createdAt } = (await call(learner, 'GET', `/api/enrollment/${pending.id}`)).data;
  const later = new Date(Date.parse(createdAt) + 1).toISOString();
  t.ok((await own({ createdFrom: createdAt, createdTo: createdAt })).includes(pending.id));
  t.notOk((await own({ createdFrom: later })).includes(pending.id));

  const { learner: late, enrollment: expiring } = await service.enroll(subject.id);
  const expiresAt = '2020-01-01T00:00:00.000Z';
  await service.database.sql`update enrollments set expires_at = ${expiresAt} where id = ${expiring.id}`;
  for (const path of ['/api/enrollment', '/api/learning/progress']) {
    const { data } = await call(late, 'GET', `${path}?updatedFrom=${expiresAt}&updatedTo=${expiresAt}`);
    t.equal(data.length, 1, `${path} contains the expired enrollment`);
  }
});

t.test('the list of progress is sorted by name, or by the times of the enrollments', async (t) => {
  const second = content.addSubject({ name: 'algebra' });
  await service.enroll(second.id, learner);
  const names = async (query: string) =>
    (await call(learner, 'GET', `/api/learning/progress${query}`)).data.map(
      (progress: { subject: { name: string } }) => progress.subject.name,
    );
  const byName = await names('');
  t.same(byName.toSorted(), ['algebra', 'Café 100%'].toSorted());
  t.same(await names('?sort=name&order=desc'), byName.toReversed());
  t.same(await names('?sort=createdAt'), ['Café 100%', 'algebra']);
  t.same(await names('?sort=updatedAt&order=desc'), ['algebra', 'Café 100%']);
});
