import { subjectEvents, topicEvents } from '@lms/contracts/events/content';
import { type EnrollmentStatus, enrollmentRevoked } from '@lms/contracts/events/enrollment';
import { userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import type { Principal } from '@lms/contracts/passport';
import { appendEvent } from '@lms/events/append-event';
import { on } from '@lms/events/consume';
import { deadLetters } from '@lms/events/tables';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { requestEnrollment } from '../src/enrollments/open-enrollment.ts';
import { users } from '../src/users/repository.ts';
import { connectToNats, startOtherService, subjectState, topicState, userState } from './test-events.ts';
import { startTestService } from './test-service.ts';

type Subject = { id: string; gradeId: string };

/** The service on the line, and what content and identity have to say. */
async function startConnectedService(t: Test) {
  const service = await startTestService(t);
  const { nats } = await connectToNats(t, service);
  const neighbour = await startOtherService(t, nats);

  const publishSubject = (name: 'created' | 'deleted' | 'restored' | 'updated' | 'purged', { id, gradeId }: Subject) =>
    appendEvent(neighbour.db, subjectEvents[name], {
      aggregateId: id,
      data: subjectState({
        id,
        gradeId,
        deletedAt: name === 'deleted' || name === 'purged' ? new Date().toISOString() : null,
      }),
    });
  const publishUser = (event: typeof userUpdated, { userId }: Principal, given: Parameters<typeof userState>[0] = {}) =>
    appendEvent(neighbour.db, event, { aggregateId: userId, data: userState({ id: userId, ...given }) });

  const find = async (learner: Principal, id: string) =>
    (await service.call(learner, 'GET', `/api/enrollment/${id}`)).data;
  const waitForStatus = (learner: Principal, id: string, status: EnrollmentStatus) =>
    waitFor(async () => (await find(learner, id)).status === status, {
      timeoutMs: 20_000,
      until: `${id} to become ${status}`,
    });
  return { service, neighbour, tellSubject: publishSubject, tellUser: publishUser, find, comesTo: waitForStatus };
}

t.test('a deleted subject ends what is open with the reason told; its restore brings exactly that back', async (t) => {
  const { service, tellSubject, find, comesTo } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const approved = await service.enroll(subject.id);
  const pending = await service.request(subject.id);
  const withdrawn = await service.enroll(subject.id);
  await service.call(withdrawn.learner, 'POST', `/api/enrollment/${withdrawn.enrollment.id}/withdraw`);
  const expired = await service.enroll(subject.id);
  await service.letExpire(expired.enrollment.id);
  const elsewhere = await service.enroll(service.content.addSubject().id);

  await tellSubject('deleted', subject);
  await comesTo(approved.learner, approved.enrollment.id, 'REVOKED');
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

  await tellSubject('restored', subject);
  await comesTo(approved.learner, approved.enrollment.id, 'APPROVED');
  const { updatedAt: _before, ...before } = approved.enrollment;
  const { updatedAt: _after, ...after } = await find(approved.learner, approved.enrollment.id);
  const { user: _user, ...own } = before;
  t.same(after, { ...own, subject: after.subject }, 'as it was');
  t.equal((await find(pending.learner, pending.enrollment.id)).status, 'PENDING');
  t.equal((await find(expired.learner, expired.enrollment.id)).status, 'EXPIRED');
  t.equal((await find(withdrawn.learner, withdrawn.enrollment.id)).status, 'WITHDRAWN');
  t.ok(await service.hasAccess(approved.learner, subject.id));

  const told = await service.database.sql`
    select type from outbox where aggregate_id = ${approved.enrollment.id} order by ordinal`;
  t.same(
    told.map(({ type }) => type.split('.').at(-1)),
    ['requested', 'approved', 'revoked', 'approved'],
  );
});

t.test('what was asked for anew meanwhile stands, and no later restore brings the old one back', async (t) => {
  const { service, tellSubject, find, comesTo } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const { learner, enrollment: old } = await service.enroll(subject.id);
  const witness = await service.enroll(subject.id);
  await tellSubject('deleted', subject);
  await comesTo(learner, old.id, 'REVOKED');

  // Content calls it live again before we have heard of the restore.
  const { enrollment: anew } = await service.request(subject.id, learner);
  t.equal(anew.status, 'PENDING');
  await tellSubject('restored', subject);
  await comesTo(witness.learner, witness.enrollment.id, 'APPROVED');
  t.equal((await find(learner, old.id)).status, 'REVOKED');
  await service.call(learner, 'POST', `/api/enrollment/${anew.id}/cancel`);

  await tellSubject('deleted', subject);
  await comesTo(witness.learner, witness.enrollment.id, 'REVOKED');
  await tellSubject('restored', subject);
  await comesTo(witness.learner, witness.enrollment.id, 'APPROVED');
  t.equal((await find(learner, old.id)).status, 'REVOKED', 'history stays history');
  t.equal((await find(learner, anew.id)).status, 'CANCELLED');
});

t.test('a deleted user loses what is open and gets it back when made active again', async (t) => {
  const { service, tellUser, find, comesTo } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  await tellUser(userDeleted, learner, { status: 'INACTIVE', roles: [] });
  await comesTo(learner, enrollment.id, 'REVOKED');
  t.match(await find(learner, enrollment.id), { endReason: 'USER_DELETED' });
  const body = { userId: learner.userId, subjectId: service.content.addSubject().id };
  t.equal((await service.call(service.admin, 'POST', '/api/admin/enrollment', body)).status, 404, 'nobody to enroll');
  t.equal((await service.call(learner, 'POST', '/api/enrollment/request', body)).status, 404, 'nor on an old passport');

  await tellUser(userRoleChanged, learner, { status: 'INACTIVE', firstName: 'Still gone' });
  const firstName = async () =>
    (await service.call(service.admin, 'GET', `/api/admin/enrollment?userId=${learner.userId}`)).data[0].user.firstName;
  await waitFor(async () => (await firstName()) === 'Still gone', { until: 'the news of an inactive user' });
  t.equal((await find(learner, enrollment.id)).status, 'REVOKED');
  await tellUser(userUpdated, learner, { status: 'ACTIVE' });
  await comesTo(learner, enrollment.id, 'APPROVED');
});

t.test('what both its subject and its user have lost comes back with the last of them', async (t) => {
  const { service, tellSubject, tellUser, find, comesTo } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  const witness = await service.enroll(subject.id);
  const gone = { status: 'INACTIVE', roles: [] } as const;
  await tellSubject('deleted', subject);
  await comesTo(learner, enrollment.id, 'REVOKED');
  await tellUser(userDeleted, learner, { ...gone, roles: [] });
  await waitFor(async () => (await service.database.sql`select 1 from people where is_deleted`).length === 1);
  await tellSubject('restored', subject);
  await comesTo(witness.learner, witness.enrollment.id, 'APPROVED');
  t.match(await find(learner, enrollment.id), { status: 'REVOKED', endReason: 'USER_DELETED' });
  await tellSubject('deleted', subject);
  await comesTo(witness.learner, witness.enrollment.id, 'REVOKED');

  await tellUser(userUpdated, learner, { status: 'ACTIVE' });
  await waitFor(async () => (await find(learner, enrollment.id)).endReason === 'SUBJECT_DELETED');
  t.equal((await find(learner, enrollment.id)).status, 'REVOKED');
  await tellSubject('restored', subject);
  await comesTo(learner, enrollment.id, 'APPROVED');
});

t.test('old news changes nothing, and a deletion of two thousand enrollments is told one by one', async (t) => {
  const { service, neighbour, tellSubject, comesTo, find } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const { learner, enrollment } = await service.enroll(subject.id);
  const { sql } = service.database;
  await sql`insert into people (id, email) select 'user' || n, n || '@lms.test' from generate_series(1, 1999) n`;
  await sql`insert into enrollments (id, user_id, subject_id, status, source)
    select 'enrollment' || n, 'user' || n, ${subject.id}, case when n % 2 = 0 then 'APPROVED' else 'PENDING' end, 'ADMIN'
    from generate_series(1, 1999) n`;
  await tellSubject('created', subject);
  await tellSubject('deleted', subject);
  await comesTo(learner, enrollment.id, 'REVOKED');
  const [told] = await sql`select count(distinct aggregate_id)::int as aggregates, count(*)::int as events
    from outbox where type ~ 'revoked|cancelled'`;
  t.same(told, { aggregates: 2_000, events: 2_000 });

  await tellSubject('restored', subject);
  await comesTo(learner, enrollment.id, 'APPROVED');
  // The deletion, delivered once more under another id.
  await neighbour.db.transaction(async (tx) => {
    const data = subjectState({ id: subject.id, gradeId: subject.gradeId, deletedAt: new Date().toISOString() });
    await appendEvent(tx, subjectEvents.deleted, { aggregateId: `${subject.id}-replayed`, data });
    await appendEvent(tx, topicEvents.created, { aggregateId: 'after', data: topicState({ subjectId: subject.id }) });
  });
  await waitFor(async () => (await sql`select 1 from outline where kind = 'topic'`).length === 1, {
    until: 'the topic',
  });
  t.equal((await find(learner, enrollment.id)).status, 'APPROVED');
});

t.test('anonymizing removes what somebody wrote and keeps that they were there', async (t) => {
  const { service, tellUser } = await startConnectedService(t);
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

  const setAside = {
    consumer: 'x',
    subject: userUpdated.subject,
    headers: {},
    error: 'the disk was full',
    attempts: 8,
  };
  const bodies = [learner.userId, 'somebody-else'].map((id) => JSON.stringify({ id, firstName: 'Private' }));
  await service.database.db
    .insert(deadLetters)
    .values(bodies.map((body, index) => ({ ...setAside, eventId: `event-${index}`, body })));

  await tellUser(userUpdated, learner, {
    identityProviderId: null,
    email: `anonymized-${learner.userId}@invalid`,
    firstName: null,
    lastName: null,
    status: 'INACTIVE',
  });
  const { sql } = service.database;
  await waitFor(async () => (await sql`select 1 from notes`).length === 0, { until: 'the notes to go' });
  t.match((await service.call(service.admin, 'GET', '/api/admin/enrollment?status=WITHDRAWN')).data, [
    { id: enrollment.id, status: 'WITHDRAWN', message: null, user: { email: /^anonymized-/, firstName: null } },
  ]);
  t.equal((await sql`select 1 from topic_progress`).length, 1);
  t.equal((await sql`select 1 from idempotency_keys`).length, 0);
  t.match(await sql`select body from dead_letters`, [{ body: bodies[1] }]);
  const [dump] = await sql`select string_agg(data::text, '') as told from outbox`;
  t.notMatch(dump?.told, /secret|thoughts|Private/);
});

t.test('content hears of a revocation within a second', async (t) => {
  const { service, neighbour } = await startConnectedService(t);
  const heard = new Map<string, number>();
  neighbour.subscribe('lms.enrollment.enrollment.*.v1', [
    on(enrollmentRevoked, async (_tx, { data }) => heard.set(data.id, Date.now())),
  ]);
  const first = await service.enroll(service.content.addSubject().id);
  const second = await service.enroll(service.content.addSubject().id);
  const revoke = (id: string) => service.call(service.admin, 'PUT', `/api/admin/enrollment/${id}/revoke`);
  // The first only shows that the listener is up.
  await revoke(first.enrollment.id);
  await waitFor(() => heard.has(first.enrollment.id), { until: 'the listener' });

  await revoke(second.enrollment.id);
  const at = Date.now();
  await waitFor(() => heard.has(second.enrollment.id), { until: 'the revocation' });
  t.ok((heard.get(second.enrollment.id) ?? Infinity) - at < 1_000);
});

t.test('topics heard of count without asking, and not while anything above them is off', async (t) => {
  const { service, neighbour } = await startConnectedService(t);
  const subject = service.content.addSubject();
  const { learner } = await service.enroll(subject.id);
  const topics = [
    topicState({ subjectId: subject.id, position: 1 }),
    topicState({ subjectId: subject.id, position: 0 }),
  ];
  for (const data of topics) await appendEvent(neighbour.db, topicEvents.created, { aggregateId: data.id, data });
  const progress = async () => (await service.call(learner, 'GET', '/api/learning/progress')).data[0];
  await waitFor(async () => (await progress()).total === 2, { until: 'both topics' });
  t.equal((await progress()).nextTopicId, topics[1]?.id, 'in the order of their positions');

  const off = subjectState({ id: subject.id, gradeId: subject.gradeId, isActive: false });
  await appendEvent(neighbour.db, subjectEvents.updated, { aggregateId: subject.id, data: off });
  await waitFor(async () => (await progress()).total === 0, { until: 'the subject to be off' });
  await appendEvent(neighbour.db, subjectEvents.updated, { aggregateId: subject.id, data: { ...off, isActive: true } });
  const [first] = topics;
  if (!first) throw new Error('no topic');
  const deleted = { ...first, deletedAt: new Date().toISOString() };
  await appendEvent(neighbour.db, topicEvents.deleted, { aggregateId: first.id, data: deleted });
  await waitFor(async () => (await progress()).total === 1, { until: 'one topic to go' });
});

t.test('a request that a deletion has overtaken is a 404 and leaves nothing open', async (t) => {
  const { service, tellSubject, comesTo } = await startConnectedService(t);
  const { db, sql } = service.database;
  const subject = service.content.addSubject();
  const witness = await service.enroll(subject.id);
  const late = testPrincipal();
  await users(db).insertIfAbsent(late);
  const asked = { userId: late.userId, subject: { id: subject.id, knownVersion: 0 }, message: null };

  // Content has just called it live; the news of its deletion comes before the row is written.
  await tellSubject('deleted', subject);
  await comesTo(witness.learner, witness.enrollment.id, 'REVOKED');
  await t.rejects(requestEnrollment(db, asked, {}), { code: 'NOT_FOUND', statusCode: 404 });
  t.equal((await sql`select 1 from enrollments where user_id = ${late.userId}`).length, 0);
});
