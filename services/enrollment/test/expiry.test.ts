import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { expireEnrollments } from '../src/enrollments/expire-enrollments.ts';
import { shareTestService } from './test-service.ts';

const emptyService = await shareTestService(t);

t.test('an enrollment counts as EXPIRED from expiresAt on, before the job has run', async (t) => {
  const service = await emptyService();
  const { call, content, hasAccess } = service;
  const subject = content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  t.ok(await hasAccess(learner, subject.id));

  await service.letExpire(enrollment.id);
  t.notOk(await hasAccess(learner, subject.id));
  const shown = (await call(learner, 'GET', `/api/enrollment/${enrollment.id}`)).data;
  t.match(shown, { status: 'EXPIRED', endedAt: shown.expiresAt, updatedAt: shown.expiresAt, endedBy: null });
  t.equal((await call(learner, 'GET', '/api/enrollment?status=EXPIRED')).pagination.total, 1);
  t.equal((await call(learner, 'GET', '/api/enrollment?status=APPROVED')).pagination.total, 0);

  t.equal(await expireEnrollments(service.database.db), 1);
  t.same(
    (await call(learner, 'GET', `/api/enrollment/${enrollment.id}`)).data,
    shown,
    'the job does not change the response',
  );
  t.equal(await expireEnrollments(service.database.db), 0);
  const [event] = await service.database.sql`
    select data, changes, actor_id from outbox where type = 'enrollment.enrollment.expired'`;
  t.match(event, {
    data: { id: enrollment.id, status: 'EXPIRED' },
    changes: { status: { from: 'APPROVED', to: 'EXPIRED' } },
    actor_id: null,
  });
});

t.test('lists order by the current status of an enrollment past its expiry, before the job has run', async (t) => {
  const service = await emptyService();
  const subject = service.content.addSubject();
  await service.request(subject.id);
  await service.enroll(subject.id);
  const { enrollment } = await service.enroll(subject.id);
  await service.letExpire(enrollment.id);
  const pages = async (query: string, property: string) => {
    const values: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const list = await service.call(service.admin, 'GET', `/api/admin/enrollment?${query}&limit=1&page=${page}`);
      t.equal(list.pagination.total, 3);
      values.push(...list.data.map((item: Record<string, string>) => item[property]));
    }
    return values;
  };
  t.same(await pages('sort=status&order=asc', 'status'), ['APPROVED', 'EXPIRED', 'PENDING']);
  t.same(await pages('sort=status&order=desc', 'status'), ['PENDING', 'EXPIRED', 'APPROVED']);
  const times = await pages('sort=updatedAt&order=asc', 'updatedAt');
  t.same(times, times.toSorted());
  t.same(await pages('sort=updatedAt&order=desc', 'updatedAt'), times.toReversed());
});

t.test('a learner can request again right after expiry, and both events are appended', async (t) => {
  const service = await emptyService();
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  await service.letExpire(enrollment.id);
  t.equal((await service.request(subject.id, learner)).enrollment.status, 'PENDING');
  const types = await service.database.sql`select type from outbox order by ordinal`;
  t.same(
    types.map(({ type }) => type.split('.').at(-1)),
    ['requested', 'approved', 'expired', 'requested'],
  );
});

t.test('an administrator can enroll a user whose enrollment has expired', async (t) => {
  const service = await emptyService();
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  await service.letExpire(enrollment.id);
  const body = { userId: learner.userId, subjectId: subject.id };
  t.equal((await service.call(service.admin, 'POST', '/api/admin/enrollment', body)).status, 201);
});

t.test('concurrent jobs append one event per expiry, and one run handles more than a batch', async (t) => {
  const service = await emptyService();
  const { learner, enrollment } = await service.enroll(service.content.addSubject().id);
  await service.database.sql`
    insert into outline (id, kind, name, is_live) select 'subject' || n, 'subject', 'Subject', true
    from generate_series(1, 1200) n`;
  await service.database.sql`
    insert into enrollments (id, user_id, subject_id, status, source, expires_at)
    select 'enrollment' || n, ${learner.userId}, 'subject' || n, 'APPROVED', 'ADMIN', now() - interval '1 minute'
    from generate_series(1, 1200) n`;
  // Malformed ids are fine here: events are validated when they are published.
  const swept = await Promise.all(Array.from({ length: 3 }, () => expireEnrollments(service.database.db)));
  t.equal(
    swept.reduce((sum, count) => sum + count),
    1_200,
  );
  const [event] = await service.database.sql`
    select count(*)::int as events, count(distinct aggregate_id)::int as aggregates
    from outbox where type = 'enrollment.enrollment.expired'`;
  t.same(event, { events: 1_200, aggregates: 1_200 });
  t.equal((await service.call(learner, 'GET', `/api/enrollment/${enrollment.id}`)).data.status, 'APPROVED');
});

t.test('an approval without expiresAt does not expire', async (t) => {
  const service = await emptyService();
  const subject = service.content.addSubject();
  const { learner } = await service.enroll(subject.id);
  t.equal(await expireEnrollments(service.database.db), 0);
  t.ok(await service.hasAccess(learner, subject.id));
  t.notOk(await service.hasAccess(testPrincipal(), subject.id));
});
