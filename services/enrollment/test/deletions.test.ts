import { subjectEvents, topicEvents } from '@lms/contracts/events/content';
import { type EnrollmentStatus, enrollmentRevoked } from '@lms/contracts/events/enrollment';
import { userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import type { Principal } from '@lms/contracts/passport';
import { openTransaction } from '@lms/database/open-transaction';
import { appendEvent } from '@lms/events/append-event';
import { on } from '@lms/events/event-handler';
import { beginEpochNow } from '@lms/events/restored-database';
import { deadLetters, outbox } from '@lms/events/tables';
import { untilLocked } from '@lms/testing/database';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import { desc, eq } from 'drizzle-orm';
import t, { type Test } from 'tap';
import { endEnrollments } from '../src/enrollments/end-enrollments.ts';
import { requestEnrollment } from '../src/enrollments/open-enrollment.ts';
import { restoreEnrollments } from '../src/enrollments/restore-enrollments.ts';
import { users } from '../src/users/repository.ts';
import { userTable } from '../src/users/table.ts';
import { connectToNats, startOtherService, subjectState, topicState, userState } from './test-events.ts';
import { startTestService } from './test-service.ts';

type Subject = { id: string; gradeId: string };

/** The service connected to NATS, and functions that publish events of content and identity. */
async function startConnectedService(t: Test) {
  const service = await startTestService(t);
  const { nats } = await connectToNats(t, service);
  const otherService = await startOtherService(t, nats);

  const publishSubject = (name: 'created' | 'deleted' | 'restored' | 'updated' | 'purged', { id, gradeId }: Subject) =>
    appendEvent(otherService.db, subjectEvents[name], {
      aggregateId: id,
      data: subjectState({
        id,
        gradeId,
        deletedAt: name === 'deleted' || name === 'purged' ? new Date().toISOString() : null,
      }),
    });
  const publishUser = (event: typeof userUpdated, { userId }: Principal, given: Parameters<typeof userState>[0] = {}) =>
    appendEvent(otherService.db, event, { aggregateId: userId, data: userState({ id: userId, ...given }) });

  const find = async (learner: Principal, id: string) =>
    (await service.call(learner, 'GET', `/api/enrollment/${id}`)).data;
  const waitForStatus = (learner: Principal, id: string, status: EnrollmentStatus) =>
    waitFor(async () => (await find(learner, id)).status === status, { until: `${id} to become ${status}` });
  return { service, otherService, publishSubject, publishUser, find, waitForStatus };
}

/** For tests that only look at their own subjects and users. */
const shared = await startConnectedService(t);

t.test('deleting a subject ends its open enrollments with a reason; restoring it restores exactly those', async (t) => {
  const { service, otherService, publishSubject, find, waitForStatus } = shared;
  const subject = service.content.addSubject();
  const approved = await service.enroll(subject.id);
  const pending = await service.request(subject.id);
  const withdrawn = await service.enroll(subject.id);
  await service.call(withdrawn.learner, 'POST', `/api/enrollment/${withdrawn.enrollment.id}/withdraw`);
  const expired = await service.enroll(subject.id);
  await service.letExpire(expired.enrollment.id);
  const elsewhere = await service.enroll(service.content.addSubject().id);

  await publishSubject('deleted', subject);
  await waitForStatus(approved.learner, approved.enrollment.id, 'REVOKED');
  t.match(await find(approved.learner, approved.enrollment.id), {
    endReason: 'SUBJECT_DELETED',
    endedBy: null,
    endedAt: String,
  });
  t.match(await find(pending.learner, pending.enrollment.id), { status: 'CANCELLED', endReason: 'SUBJECT_DELETED' });
  t.match(await find(expired.learner, expired.enrollment.id), { status: 'EXPIRED', endReason: null });
  t.equal((await find(withdrawn.learner, withdrawn.enrollment.id)).endReason, null);
  t.equal((await find(elsewhere.learner, elsewhere.enrollment.id)).status, 'APPROVED');
  t.notOk(await service.hasAccess(approved.learner, subject.id));

  await publishSubject('restored', subject);
  await waitForStatus(approved.learner, approved.enrollment.id, 'APPROVED');
  const { updatedAt: _before, ...before } = approved.enrollment;
  const { updatedAt: _after, ...after } = await find(approved.learner, approved.enrollment.id);
  const { user: _user, ...own } = before;
  t.same(after, { ...own, subject: after.subject }, 'unchanged');
  t.equal((await find(pending.learner, pending.enrollment.id)).status, 'PENDING');
  t.equal((await find(expired.learner, expired.enrollment.id)).status, 'EXPIRED');
  t.equal((await find(withdrawn.learner, withdrawn.enrollment.id)).status, 'WITHDRAWN');
  t.ok(await service.hasAccess(approved.learner, subject.id));

  await beginEpochNow(otherService.db);
  const [last] = await otherService.db.select().from(outbox).orderBy(desc(outbox.ordinal)).limit(1);
  await waitFor(
    async () => (await service.database.sql`select from inbox where event_id = ${last?.id ?? ''}`).length > 0,
  );
  const events = await service.database.sql`
    select type from outbox where aggregate_id = ${approved.enrollment.id} order by ordinal`;
  t.same(
    events.map(({ type }) => type.split('.').at(-1)),
    ['requested', 'approved', 'revoked', 'approved'],
    'events that are published again as new ones do not repeat it',
  );
});

t.test('an enrollment requested after a deletion is kept, and no later restore restores the old one', async (t) => {
  const { service, publishSubject, find, waitForStatus } = shared;
  const subject = service.content.addSubject();
  const { learner, enrollment: old } = await service.enroll(subject.id);
  const other = await service.enroll(subject.id);
  await publishSubject('deleted', subject);
  await waitForStatus(learner, old.id, 'REVOKED');

  // Content returns the subject as live before the event of its restore arrives.
  const { enrollment: second } = await service.request(subject.id, learner);
  t.equal(second.status, 'PENDING');
  await publishSubject('restored', subject);
  await waitForStatus(other.learner, other.enrollment.id, 'APPROVED');
  t.equal((await find(learner, old.id)).status, 'REVOKED');
  await service.call(learner, 'POST', `/api/enrollment/${second.id}/cancel`);

  await publishSubject('deleted', subject);
  await waitForStatus(other.learner, other.enrollment.id, 'REVOKED');
  await publishSubject('restored', subject);
  await waitForStatus(other.learner, other.enrollment.id, 'APPROVED');
  t.equal((await find(learner, old.id)).status, 'REVOKED', 'not restored');
  t.equal((await find(learner, second.id)).status, 'CANCELLED');
});

t.test('deleting a user ends their open enrollments; reactivating the user restores them', async (t) => {
  const { service, publishUser, find, waitForStatus } = shared;
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  await publishUser(userDeleted, learner, { status: 'INACTIVE', roles: [] });
  await waitForStatus(learner, enrollment.id, 'REVOKED');
  t.match(await find(learner, enrollment.id), { endReason: 'USER_DELETED' });
  const body = { userId: learner.userId, subjectId: service.content.addSubject().id };
  t.equal(
    (await service.call(service.admin, 'POST', '/api/admin/enrollment', body)).status,
    404,
    'a deleted user cannot be enrolled',
  );
  t.equal(
    (await service.call(learner, 'POST', '/api/enrollment/request', body)).status,
    404,
    'also with an old passport',
  );

  await publishUser(userRoleChanged, learner, { status: 'INACTIVE', firstName: 'Still deleted' });
  const firstName = async () =>
    (await service.call(service.admin, 'GET', `/api/admin/enrollment?userId=${learner.userId}`)).data[0].user.firstName;
  await waitFor(async () => (await firstName()) === 'Still deleted', { until: 'the event of an inactive user' });
  t.equal((await find(learner, enrollment.id)).status, 'REVOKED');
  await publishUser(userUpdated, learner, { status: 'ACTIVE' });
  await waitForStatus(learner, enrollment.id, 'APPROVED');
});

t.test('an enrollment whose subject and user are deleted is restored once both are restored', async (t) => {
  const { service, publishSubject, publishUser, find, waitForStatus } = shared;
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  const other = await service.enroll(subject.id);
  const deleted = { status: 'INACTIVE', roles: [] } as const;
  const isDeleted = async () =>
    (await service.database.sql`select 1 from people where id = ${learner.userId} and is_deleted`).length === 1;
  await publishSubject('deleted', subject);
  await waitForStatus(learner, enrollment.id, 'REVOKED');
  await publishUser(userDeleted, learner, { ...deleted, roles: [] });
  await waitFor(isDeleted);
  await publishSubject('restored', subject);
  await waitForStatus(other.learner, other.enrollment.id, 'APPROVED');
  t.match(await find(learner, enrollment.id), { status: 'REVOKED', endReason: 'USER_DELETED' });
  await publishSubject('deleted', subject);
  await waitForStatus(other.learner, other.enrollment.id, 'REVOKED');

  await publishUser(userUpdated, learner, { status: 'ACTIVE' });
  await waitFor(async () => (await find(learner, enrollment.id)).endReason === 'SUBJECT_DELETED');
  t.equal((await find(learner, enrollment.id)).status, 'REVOKED');
  await publishSubject('restored', subject);
  await waitForStatus(learner, enrollment.id, 'APPROVED');

  await publishSubject('deleted', subject);
  await waitForStatus(learner, enrollment.id, 'REVOKED');
  await publishUser(userDeleted, learner, { ...deleted, roles: [] });
  await waitFor(isDeleted);
  const { tx, commit } = await openTransaction(service.database.db);
  await tx.update(userTable).set({ isDeleted: false }).where(eq(userTable.id, learner.userId));
  await publishSubject('restored', subject);
  // The restore of the subject waits for the user.
  await untilLocked(service.database);
  await commit();
  await waitForStatus(learner, enrollment.id, 'APPROVED');
});

t.test('of two enrollments that ended with their subject and their user, the later one is restored', async (t) => {
  const { service, publishSubject, publishUser, find, waitForStatus } = shared;
  const subject = service.content.addSubject();
  const { learner, enrollment: first } = await service.enroll(subject.id);
  const other = await service.enroll(subject.id);
  await publishSubject('deleted', subject);
  await waitForStatus(learner, first.id, 'REVOKED');
  // Content returns the subject as live before the event of its restore arrives.
  const body = { userId: learner.userId, subjectId: subject.id };
  const { data: second } = await service.call(service.admin, 'POST', '/api/admin/enrollment', body);
  await publishUser(userDeleted, learner, { status: 'INACTIVE', roles: [] });
  await waitForStatus(learner, second.id, 'REVOKED');
  await publishSubject('restored', subject);
  await waitForStatus(other.learner, other.enrollment.id, 'APPROVED');

  await publishUser(userUpdated, learner, { status: 'ACTIVE' });
  await waitForStatus(learner, second.id, 'APPROVED');
  t.equal((await find(learner, first.id)).status, 'REVOKED');
});

t.test('outdated events are ignored, and a deletion publishes one event for each of 1,200 enrollments', async (t) => {
  const { service, otherService, publishSubject, waitForStatus, find } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  const { sql } = service.database;
  // More than one statement appends.
  await sql`insert into people (id, email) select 'user' || n, n || '@lms.test' from generate_series(1, 1199) n`;
  await sql`insert into enrollments (id, user_id, subject_id, status, source)
    select 'enrollment' || n, 'user' || n, ${subject.id}, case when n % 2 = 0 then 'APPROVED' else 'PENDING' end, 'ADMIN'
    from generate_series(1, 1199) n`;
  await publishSubject('created', subject);
  await publishSubject('deleted', subject);
  await waitForStatus(learner, enrollment.id, 'REVOKED');
  const [counts] = await sql`select count(distinct aggregate_id)::int as aggregates, count(*)::int as events
    from outbox where type ~ 'revoked|cancelled'`;
  t.same(counts, { aggregates: 1_200, events: 1_200 });

  await publishSubject('restored', subject);
  await waitForStatus(learner, enrollment.id, 'APPROVED');
  const restored = await sql`select status, count(*)::int from enrollments group by status order by status`;
  t.same(
    [...restored],
    [
      { status: 'APPROVED', count: 600 },
      { status: 'PENDING', count: 600 },
    ],
  );
  // The event of the deletion, published again with another aggregate id.
  await otherService.db.transaction(async (tx) => {
    const data = subjectState({ id: subject.id, gradeId: subject.gradeId, deletedAt: new Date().toISOString() });
    await appendEvent(tx, subjectEvents.deleted, { aggregateId: `${subject.id}-replayed`, data });
    await appendEvent(tx, topicEvents.created, { aggregateId: 'after', data: topicState({ subjectId: subject.id }) });
  });
  await waitFor(async () => (await sql`select 1 from outline where kind = 'topic'`).length === 1, {
    until: 'the topic',
  });
  t.equal((await find(learner, enrollment.id)).status, 'APPROVED');
});

t.test('with old statistics, restoring a subject does not read all its enrollments for each of them', async (t) => {
  const service = await startTestService(t);
  const { db, sql } = service.database;
  const subject = service.content.addSubject();
  await service.enroll(subject.id);
  await sql`analyze enrollments`;
  await sql`alter table enrollments set (autovacuum_enabled = false)`;
  await sql`insert into people (id, email) select 'user' || n, n || '@lms.test' from generate_series(1, 1999) n`;
  await sql`insert into enrollments (id, user_id, subject_id, status, source)
    select 'enrollment' || n, 'user' || n, ${subject.id}, 'APPROVED', 'ADMIN' from generate_series(1, 1999) n`;
  await db.transaction((tx) => endEnrollments(tx, { subjectId: subject.id }, 'SUBJECT_DELETED'));
  const rowsRead = await db.transaction(async (tx) => {
    await restoreEnrollments(tx, { subjectId: subject.id }, 'SUBJECT_DELETED');
    const [counts] = await tx.execute(
      `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'enrollments'`,
    );
    return Number(counts?.rows);
  });
  const [{ restored } = {}] = await sql`select count(*)::int as restored from enrollments where status = 'APPROVED'`;
  t.equal(restored, 2_000);
  t.ok(rowsRead < 200_000, `${rowsRead} rows read`);
});

t.test('anonymization deletes what the user wrote and keeps their enrollments and progress', async (t) => {
  const { service, publishUser } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const topic = service.content.addTopic(subject.id);
  const learner = testPrincipal(['LEARNER'], { firstName: 'Private' });
  const { enrollment } = await service.request(subject.id, learner, 'my secret');
  await service.call(service.admin, 'PUT', `/api/admin/enrollment/${enrollment.id}/approve`);
  await service.call(
    learner,
    'POST',
    `/api/learning/topics/${topic.id}/notes`,
    { content: 'my thoughts' },
    { 'idempotency-key': 'k' },
  );
  await service.call(learner, 'PUT', `/api/learning/topics/${topic.id}/completion`);
  await service.call(learner, 'POST', `/api/enrollment/${enrollment.id}/withdraw`);
  const other = { userId: learner.userId, subjectId: service.content.addSubject().id };
  const admins = await service.call(service.admin, 'POST', '/api/admin/enrollment', other, { 'idempotency-key': 'k' });
  t.match(admins.data, { user: { firstName: 'Private' } });

  const deadLetter = {
    consumer: 'x',
    subject: userUpdated.subject,
    error: 'the disk was full',
    attempts: 8,
  };
  const userIds = [learner.userId, 'another-user'];
  await service.database.db.insert(deadLetters).values(
    userIds.map((id) => ({
      ...deadLetter,
      eventId: id,
      headers: { 'ce-subject': id },
      body: JSON.stringify({ id, firstName: 'Private' }),
    })),
  );

  await publishUser(userUpdated, learner, {
    identityProviderId: null,
    email: `anonymized-${learner.userId}@invalid`,
    firstName: null,
    lastName: null,
    status: 'INACTIVE',
  });
  const { sql } = service.database;
  await waitFor(async () => (await sql`select 1 from notes`).length === 0, { until: 'the notes to be deleted' });
  t.match((await service.call(service.admin, 'GET', '/api/admin/enrollment?status=WITHDRAWN')).data, [
    { id: enrollment.id, status: 'WITHDRAWN', message: null, user: { email: /^anonymized-/, firstName: null } },
  ]);
  t.equal((await sql`select 1 from topic_progress`).length, 1);
  t.equal((await sql`select 1 from idempotency_keys`).length, 0);
  t.match(await sql`select headers from dead_letters`, [{ headers: { 'ce-subject': 'another-user' } }]);
  const [dump] = await sql`select string_agg(data::text, '') as events from outbox`;
  t.notMatch(dump?.events, /secret|thoughts|Private/);
});

t.test('the event of a revocation arrives without delay', async (t) => {
  const { service, otherService } = await startConnectedService(t);
  const receivedAt = new Map<string, number>();
  otherService.subscribe('lms.enrollment.enrollment.*.v1', [
    on(enrollmentRevoked, async (_tx, { data }) => receivedAt.set(data.id, Date.now())),
  ]);
  const first = await service.enroll(service.content.addSubject().id);
  const second = await service.enroll(service.content.addSubject().id);
  const revoke = (id: string) => service.call(service.admin, 'PUT', `/api/admin/enrollment/${id}/revoke`);
  // The first event shows that the consumer is running.
  await revoke(first.enrollment.id);
  await waitFor(() => receivedAt.has(first.enrollment.id), { until: 'the consumer' });

  const at = Date.now();
  await revoke(second.enrollment.id);
  await waitFor(() => receivedAt.has(second.enrollment.id), { until: 'the revocation' });
  t.ok((receivedAt.get(second.enrollment.id) ?? Infinity) - at < 10_000);
});

t.test('topics known from events count without a call to content, but not in an inactive subject', async (t) => {
  const { service, otherService } = shared;
  const subject = service.content.addSubject();
  const { learner } = await service.enroll(subject.id);
  const topics = [
    topicState({ subjectId: subject.id, position: 1 }),
    topicState({ subjectId: subject.id, position: 0 }),
  ];
  for (const data of topics) await appendEvent(otherService.db, topicEvents.created, { aggregateId: data.id, data });
  const progress = async () => (await service.call(learner, 'GET', '/api/learning/progress')).data[0];
  await waitFor(async () => (await progress()).total === 2, { until: 'both topics' });
  t.equal((await progress()).nextTopicId, topics[1]?.id, 'in the order of their positions');

  const inactive = subjectState({ id: subject.id, gradeId: subject.gradeId, isActive: false });
  await appendEvent(otherService.db, subjectEvents.updated, { aggregateId: subject.id, data: inactive });
  await waitFor(async () => (await progress()).total === 0, { until: 'the subject to be inactive' });
  await appendEvent(otherService.db, subjectEvents.updated, {
    aggregateId: subject.id,
    data: { ...inactive, isActive: true },
  });
  const [first] = topics;
  if (!first) throw new Error('no topic');
  const deleted = { ...first, deletedAt: new Date().toISOString() };
  await appendEvent(otherService.db, topicEvents.deleted, { aggregateId: first.id, data: deleted });
  await waitFor(async () => (await progress()).total === 1, { until: 'the deletion of one topic' });
});

t.test('a request returns 404 and stores nothing if the subject is deleted in the meantime', async (t) => {
  const { service, publishSubject, waitForStatus } = shared;
  const { db, sql } = service.database;
  const subject = service.content.addSubject();
  const other = await service.enroll(subject.id);
  const late = testPrincipal();
  await users(db).insertIfAbsent(late);
  const input = { userId: late.userId, subject: { id: subject.id, knownVersion: 0 }, message: null };

  // Content has returned the subject as live; the event of its deletion arrives before the enrollment is stored.
  await publishSubject('deleted', subject);
  await waitForStatus(other.learner, other.enrollment.id, 'REVOKED');
  await t.rejects(requestEnrollment(db, input, {}), { code: 'NOT_FOUND', statusCode: 404 });
  t.equal((await sql`select 1 from enrollments where user_id = ${late.userId}`).length, 0);
});
