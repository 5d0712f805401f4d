import { createHash } from 'node:crypto';
import { enrollmentRevoked } from '@lms/contracts/events/enrollment';
import { userCreated, userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import {
  captionRemoved,
  captionUploaded,
  documentRemoved,
  videoFailed,
  videoProcessed,
  videoProgressed,
  videoRemoved,
} from '@lms/contracts/events/media';
import { initialVideoState, type VideoState } from '@lms/contracts/internal/content';
import type { Principal, Role } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { appendEvent } from '@lms/events/append-event';
import { connectBus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import { startRelay } from '@lms/events/relay';
import { beginEpochNow } from '@lms/events/restored-database';
import { subscribe } from '@lms/events/subscribe';
import { testDatabase } from '@lms/testing/database';
import { testPrincipal } from '@lms/testing/principals';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import t from 'tap';
import { consumers, onEnrollmentChanged } from '../src/consumers.ts';
import { admin, migrations, startContent } from './content-service.ts';

const logger = pino({ level: 'silent' });
const content = await startContent(t);
const { call, createBranch, database } = content;
const nats = await startNats(t);
const bus = connectBus(nats.url, 'content', logger);
const consuming = consumers.map((consumer) => consume({ ...consumer, database, bus, logger }).ended);
await subscribe({ ...onEnrollmentChanged(content.entitlement), bus });

// A second database with its own outbox publishes the events of the other services.
const publisher = await testDatabase(t, migrations);
const relay = startRelay(publisher, bus, 'identity', logger);
t.teardown(async () => {
  await bus.close();
  await Promise.all([...consuming, relay.ended]);
});

const stateOf = ({ userId, ...state }: Principal, given: { identityProviderId?: null; email?: string } = {}) => {
  const now = new Date().toISOString();
  return { ...state, id: userId, createdAt: now, updatedAt: now, ...given };
};
type Definition = typeof userCreated;
const append = (definition: Definition, user: Principal, given: Parameters<typeof stateOf>[1] = {}, from?: Role[]) =>
  appendEvent(publisher.db, definition, {
    aggregateId: user.userId,
    data: stateOf(user, given),
    ...(from && { changes: { roles: { from, to: user.roles } } }),
    cause: { actorId: admin.userId },
  });
const waitForInbox = async (events: number) => {
  await waitFor(async () => {
    const [row] = await database.sql`select count(*)::int as total from inbox`;
    return row?.total >= events;
  });
};
const mentorOf = async (subject: { id: string }) => {
  const { json } = await call('GET', `/api/admin/education/subjects/${subject.id}`, { as: admin });
  const { mentorId, mentorEmail } = json.data;
  return { mentorId, mentorEmail };
};
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
/** The event of an anonymization, as identity publishes it. */
const appendAnonymized = (user: Principal, identifiers: string[]) =>
  appendEvent(publisher.db, userDeleted, {
    aggregateId: user.userId,
    data: {
      ...stateOf({ ...user, roles: [], status: 'INACTIVE', firstName: null, lastName: null }),
      ...{ identityProviderId: null, email: `anonymized-${user.userId}@invalid`, emailVerified: false },
      ...(identifiers.length > 0 && { identifierHashes: identifiers.map(hashOf) }),
    },
    cause: { actorId: admin.userId },
  });
const noMentor = { mentorId: null, mentorEmail: null };
let eventCount = 0;

t.test('assignments end with the role MENTOR, and publish updates with the actor of the role change', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const names = { mentorId: mentor.identityProviderId, mentorEmail: mentor.email };
  const first = await createBranch({ subject: names });
  const byEmail = await createBranch({ subject: { mentorEmail: mentor.email } });
  const other = await createBranch({ subject: { mentorId: 'idp_other' } });
  await append(userCreated, mentor);
  await append(userUpdated, { ...mentor, firstName: 'Ada' });
  eventCount += 2;
  await waitForInbox(eventCount);
  t.same(await mentorOf(first.subject), names, 'other events end nothing');

  await append(userRoleChanged, { ...mentor, roles: ['LEARNER'] }, {}, ['MENTOR', 'LEARNER']);
  eventCount += 1;
  await waitForInbox(eventCount);
  t.same(await mentorOf(first.subject), noMentor);
  t.same(await mentorOf(byEmail.subject), noMentor);
  t.same(await mentorOf(other.subject), { mentorId: 'idp_other', mentorEmail: null });
  const [event] =
    await database.sql`select * from outbox where aggregate_id = ${first.subject.id} and type = 'content.subject.updated'`;
  t.match(event, {
    actor_id: admin.userId,
    changes: { mentorId: { from: mentor.identityProviderId, to: null } },
  });
});

t.test('an assignment to a user who is not a mentor yet is kept', async (t) => {
  const learner = testPrincipal();
  const { subject } = await createBranch({ subject: { mentorId: learner.identityProviderId } });
  await append(userUpdated, learner);
  eventCount += 1;
  await waitForInbox(eventCount);
  t.match(await mentorOf(subject), { mentorId: learner.identityProviderId });
});

t.test('an event that arrives late does not end an assignment that was made after it', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const { subject } = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
  await append(userCreated, mentor);
  await publisher.db.transaction(async (tx) => {
    await appendEvent(tx, userRoleChanged, {
      aggregateId: mentor.userId,
      data: stateOf({ ...mentor, roles: ['LEARNER'] }),
      changes: { roles: { from: ['MENTOR', 'LEARNER'], to: ['LEARNER'] } },
      cause: { actorId: admin.userId },
    });
    await tx.execute(
      sql`update outbox set created_at = created_at - interval '1 hour' where aggregate_id = ${mentor.userId}`,
    );
  });
  await append(userRoleChanged, mentor, {}, ['LEARNER']);
  eventCount += 3;
  await waitForInbox(eventCount);
  t.match(await mentorOf(subject), { mentorId: mentor.identityProviderId });
});

t.test('assignments end with the account, even if the event has no identifiers', async (t) => {
  const [deleted, anonymized] = [testPrincipal(['MENTOR']), testPrincipal(['MENTOR'])];
  const one = await createBranch({ subject: { mentorId: deleted.identityProviderId, mentorEmail: deleted.email } });
  const two = await createBranch({
    subject: { mentorId: anonymized.identityProviderId, mentorEmail: anonymized.email },
  });
  const deletedSubject = await createBranch({
    subject: { mentorId: anonymized.identityProviderId, mentorEmail: anonymized.email },
  });
  await call('DELETE', `/api/admin/education/subjects/${deletedSubject.subject.id}`, { as: admin });
  await append(userCreated, anonymized);
  await append(userDeleted, { ...deleted, roles: [], status: 'INACTIVE' });
  await append(
    userDeleted,
    { ...anonymized, roles: [], status: 'INACTIVE' },
    { identityProviderId: null, email: `anonymized-${anonymized.userId}@invalid` },
  );
  eventCount += 3;
  await waitForInbox(eventCount);
  t.same(await mentorOf(one.subject), noMentor);
  t.same(await mentorOf(two.subject), noMentor);
  t.same(await mentorOf(deletedSubject.subject), noMentor, 'also on a deleted subject');
  const rows = await database.sql`select 1 from mentors where email is not null and not is_mentor`;
  t.equal(rows.length, 0);
});

t.test('no table contains the identifiers of an anonymized user, even if the user never was a mentor', async (t) => {
  const ann = testPrincipal();
  const former = `former-${ann.email}`;
  const byId = { mentorId: ann.identityProviderId, mentorEmail: ann.email };
  const key = { 'idempotency-key': 'the-subject-of-ann' };
  const { grade, subject } = await createBranch({ subject: byId });
  const body = { name: 'Repeated', description: 'x', gradeId: grade.id, ...byId };
  const create = () => call('POST', '/api/admin/education/subjects', { as: admin, body, headers: key });
  const first = await create();
  t.match(first, { status: 201, json: { data: byId } });
  const named = async (mentor: Record<string, unknown>) => (await createBranch({ subject: mentor })).subject;
  const subjects = [
    subject,
    first.json.data,
    await named({ mentorId: ann.identityProviderId }),
    await named({ mentorEmail: ann.email.toUpperCase() }),
    await named({ mentorEmail: former }),
    await named({ mentorEmail: 'J\u030cosef@lms.test' }),
    await named({ mentorId: ann.identityProviderId, mentorEmail: 'bea@lms.test' }),
  ];
  const deleted = await named({ mentorEmail: former });
  await call('DELETE', `/api/admin/education/subjects/${deleted.id}`, { as: admin });
  const beside = await named({ mentorId: 'idp_bob', mentorEmail: ann.email });
  const others = await named({ mentorId: 'idp_bob', mentorEmail: 'bob@lms.test' });
  const reassigned = await named(byId);
  const bob = { mentorId: 'idp_bob', mentorEmail: null };
  await call('PUT', `/api/admin/education/subjects/${reassigned.id}/mentor`, { as: admin, body: bob });
  await database.sql`insert into dead_letters (id, consumer, event_id, subject, body, headers, error, attempts)
    values ('one', 'c', 'e', 's', ${JSON.stringify(stateOf(ann))}, '{}', 'x', 8)`;

  await appendAnonymized(ann, [ann.identityProviderId, ann.email, former, '\u01f0osef@lms.test']);
  eventCount += 1;
  await waitForInbox(eventCount);
  for (const each of [...subjects, deleted]) t.same(await mentorOf(each), noMentor, each.name);
  t.same(await mentorOf(beside), bob, "another's assignment stays, without the e-mail");
  t.same(await mentorOf(others), { mentorId: 'idp_bob', mentorEmail: 'bob@lms.test' });
  const again = await create();
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.same(again.json.data, { ...first.json.data, ...noMentor }, 'a replayed response does not contain them');

  const [event] = await database.sql`select * from outbox where aggregate_id = ${subject.id} order by ordinal desc`;
  t.match(event, { type: 'content.subject.updated', actor_id: admin.userId, data: { mentorId: null } });
  const dump = JSON.stringify(
    await Promise.all(
      ['nodes', 'mentors', 'outbox', 'idempotency_keys', 'dead_letters', 'inbox'].map(
        (table) => database.sql`select * from ${database.sql(table)}`,
      ),
    ),
  );
  for (const identifier of [ann.identityProviderId, ann.email, ann.email.toUpperCase()])
    t.notOk(dump.includes(identifier), `${identifier} is in no table`);
});

t.test('the identifiers of an anonymized user stay removed whatever the order and number of events', async (t) => {
  const ann = testPrincipal(['MENTOR']);
  const { subject } = await createBranch({ subject: { mentorId: ann.identityProviderId, mentorEmail: ann.email } });
  const { subject: later } = await createBranch({ subject: { mentorEmail: `later-${ann.email}` } });
  await publisher.sql`insert into aggregate_versions (aggregate_id, version) values (${ann.userId}, 4)`;
  await appendAnonymized(ann, []);
  eventCount += 1;
  await waitForInbox(eventCount);
  t.not((await mentorOf(subject)).mentorId, null, 'an event without hashes removes nothing');
  await publisher.sql`update aggregate_versions set version = 3 where aggregate_id = ${ann.userId}`;
  await appendAnonymized(ann, [ann.identityProviderId, ann.email, `later-${ann.email}`]);
  await publisher.sql`update aggregate_versions set version = 0 where aggregate_id = ${ann.userId}`;
  await append(userCreated, ann);
  await append(userUpdated, { ...ann, email: `later-${ann.email}` });
  eventCount += 3;
  await waitForInbox(eventCount);
  t.same(await mentorOf(subject), noMentor);
  t.same(await mentorOf(later), noMentor);
  t.match(await database.sql`select * from mentors where user_id = ${ann.userId}`, [
    { identity_provider_id: null, email: null, is_mentor: false },
  ]);
});

t.test('the provider id of a closed account can be assigned again', async (t) => {
  const closed = testPrincipal(['MENTOR']);
  const { subject } = await createBranch({ subject: { mentorId: closed.identityProviderId } });
  await append(userCreated, closed);
  const email = `displaced-${closed.userId}@invalid`;
  const state = { ...stateOf({ ...closed, roles: [], status: 'INACTIVE', email }), identityProviderId: null };
  await appendEvent(publisher.db, userDeleted, { aggregateId: closed.userId, data: state, cause: {} });
  eventCount += 2;
  await waitForInbox(eventCount);
  t.same(await mentorOf(subject), noMentor);
  t.same([...(await database.sql`select id from erasures where id = ${closed.userId}`)], [], 'its events stay');
});

t.test('an older event that arrives late ends no assignment', async (t) => {
  const mentor = testPrincipal(['MENTOR']);
  await append(userCreated, mentor);
  await publisher.sql`update aggregate_versions set version = 2 where aggregate_id = ${mentor.userId}`;
  await append(userRoleChanged, mentor, {}, ['LEARNER']);
  eventCount += 2;
  await waitForInbox(eventCount);
  const { subject } = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
  await publisher.sql`update aggregate_versions set version = 1 where aggregate_id = ${mentor.userId}`;
  await append(userRoleChanged, { ...mentor, roles: [] }, {}, ['MENTOR']);
  eventCount += 1;
  await waitForInbox(eventCount);
  t.match(await mentorOf(subject), { mentorId: mentor.identityProviderId });
});

t.test('assignments end if the role ended and was granted again, in whichever order the events arrive', async (t) => {
  const mentor = testPrincipal(['MENTOR']);
  await append(userCreated, mentor);
  eventCount += 1;
  await waitForInbox(eventCount);
  const { subject } = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
  await publisher.sql`update aggregate_versions set version = 2 where aggregate_id = ${mentor.userId}`;
  await append(userRoleChanged, mentor, {}, []);
  await publisher.sql`update aggregate_versions set version = 1 where aggregate_id = ${mentor.userId}`;
  await append(userRoleChanged, { ...mentor, roles: [] }, {}, ['MENTOR']);
  eventCount += 2;
  await waitForInbox(eventCount);
  t.same(await mentorOf(subject), noMentor);
  t.match(await database.sql`select is_mentor from mentors where user_id = ${mentor.userId}`, [{ is_mentor: true }]);
});

t.test('an assignment to a mentor stays if the events of the last week are published again as new ones', async (t) => {
  const [granted, changed] = [testPrincipal(['MENTOR']), testPrincipal(['MENTOR'])];
  for (const mentor of [granted, changed]) {
    await append(userCreated, { ...mentor, roles: ['LEARNER'] });
    await append(userRoleChanged, mentor, {}, ['LEARNER']);
  }
  await append(userUpdated, { ...changed, firstName: 'Ada' });
  eventCount += 5;
  await waitForInbox(eventCount);
  const branches = [];
  for (const { identityProviderId: mentorId } of [granted, changed])
    branches.push(await createBranch({ subject: { mentorId } }));
  await beginEpochNow(publisher.db);
  eventCount *= 2;
  await waitForInbox(eventCount);
  t.match(await Promise.all(branches.map(({ subject }) => mentorOf(subject))), [
    { mentorId: granted.identityProviderId },
    { mentorId: changed.identityProviderId },
  ]);
  await append(userRoleChanged, { ...granted, roles: [] }, {}, ['MENTOR']);
  eventCount += 1;
  await waitForInbox(eventCount);
  t.same(await Promise.all(branches.map(({ subject }) => mentorOf(subject))), [
    noMentor,
    { mentorId: changed.identityProviderId, mentorEmail: null },
  ]);
});

t.test('a revoked enrollment removes access to protected content at once', async (t) => {
  const learner = testPrincipal();
  const { subject, topic } = await createBranch();
  const isGranted = async () =>
    (await call('GET', `/api/education/topics/${topic.id}`, { as: learner })).json.data.access.granted;
  content.enroll(subject.id);
  t.equal(await isGranted(), true);
  content.enroll(subject.id, false);
  t.equal(await isGranted(), true, 'cached for some seconds');
  const now = new Date().toISOString();
  await appendEvent(publisher.db, enrollmentRevoked, {
    aggregateId: createId(),
    data: {
      id: createId(),
      userId: learner.userId,
      subjectId: subject.id,
      status: 'REVOKED',
      source: 'REQUEST',
      requestedAt: now,
      decidedAt: now,
      decidedBy: admin.userId,
      decisionReason: null,
      expiresAt: null,
      endedAt: now,
      endedBy: admin.userId,
      endReason: null,
      createdAt: now,
      updatedAt: now,
    },
  });
  relay.notify();
  await waitFor(async () => !(await isGranted()), { timeoutMs: 8_000, until: 'access is denied' });
});

t.test('what media has removed disappears from its topic, and the previous video returns', async (t) => {
  const { topic } = await createBranch();
  const path = `/internal/topics/${topic.id}`;
  const state = (id = createId()) => ({
    ...{ id, fileName: 'a.pdf', mimeType: 'application/pdf', size: 1, checksum: `sha256:${'a'.repeat(64)}` },
    uploadedAt: new Date().toISOString(),
  });
  const document = {
    ...state(),
    name: 'A',
    description: '',
    key: 'a-key',
    url: 'http://lms.test',
    uploadedBy: createId(),
  };
  const [previous, video] = [state(), state()].map((given) => ({ video: given, videoUrl: 'http://lms.test/video' }));
  if (!previous || !video) throw new Error('no video');
  const topicId = topic.id;
  const remove = async (current: typeof video | null, ...removed: (typeof video)[]) => {
    for (const { video: one } of removed)
      await appendEvent(publisher.db, videoRemoved, { aggregateId: one.id, data: { ...one, topicId, current } });
  };
  const read = async () => {
    const [row] = await database.sql`select video, documents from nodes where id = ${topicId}`;
    return { video: row?.video?.video.id ?? null, documents: row?.documents.length };
  };
  const waitForState = (video: string | null, documents: number) =>
    waitFor(async () => {
      const found = await read();
      return found.video === video && found.documents === documents;
    });
  await call('POST', `${path}/documents`, { as: admin, body: document });
  await call('PUT', `${path}/video`, { as: admin, body: video });
  // A video that has been replaced already: nothing changes.
  await remove(null, previous);
  await remove(previous, video);
  await waitForState(previous.video.id, 1);
  const [updated] =
    await database.sql`select data from outbox where aggregate_id = ${topicId} order by ordinal desc limit 1`;
  t.match(updated?.data, { video: { id: previous.video.id } });

  // Also while the topic is deleted: a restore must not bring the entries back.
  await call('DELETE', `/api/admin/education/topics/${topicId}`, { as: admin });
  await appendEvent(publisher.db, documentRemoved, { aggregateId: document.id, data: { ...document, topicId } });
  await remove(null, previous);
  await waitForState(null, 0);
  t.equal((await call('POST', `/api/admin/education/topics/${topicId}/restore`, { as: admin })).status, 200);
  t.match((await call('GET', `/api/education/topics/${topicId}`, { as: admin })).json.data, {
    documents: [],
    videoUrl: null,
  });
});

t.test('topics show what media finds out about their current video', async (t) => {
  const { topic } = await createBranch();
  const topicId = topic.id;
  const newVideo = () => ({
    ...{ id: createId(), fileName: 'a.mp4', mimeType: 'video/mp4', size: 1, checksum: `sha256:${'a'.repeat(64)}` },
    uploadedAt: new Date().toISOString(),
  });
  const [previous, video] = [newVideo(), newVideo()];
  const videoUrl = 'http://lms.test/video';
  await call('PUT', `/internal/topics/${topicId}/video`, { as: admin, body: { video, videoUrl } });
  const withState = (file: typeof video, more: Partial<VideoState> = {}) => ({
    ...file,
    ...initialVideoState,
    ...more,
  });
  const track = { language: 'en', label: 'English', kind: 'captions', default: true } as const;
  const captioned = { ...track, topicId, video: withState(video, { captions: [track] }) };
  const ofVideo = { aggregateId: video.id };
  await appendEvent(publisher.db, videoFailed, {
    aggregateId: previous.id,
    data: { ...withState(previous, { status: 'failed' }), topicId },
  });
  await appendEvent(publisher.db, captionUploaded, { ...ofVideo, data: captioned });
  const read = async () => (await call('GET', `/api/education/topics/${topicId}`, { as: admin })).json.data.video;
  for (const status of ['queued', 'processing'] as const) {
    const progressed = { ...withState(video, { status, captions: [track] }), topicId };
    await appendEvent(publisher.db, videoProgressed, { ...ofVideo, data: progressed });
    await waitFor(async () => (await read()).status === status, { until: `a ${status} video` });
  }
  const ready: Partial<VideoState> = {
    ...{ status: 'ready', durationSeconds: 9.5 },
    renditions: [{ height: 240, bandwidth: 1 }],
  };
  const processed = withState(video, { ...ready, captions: [track] });
  await appendEvent(publisher.db, videoProcessed, { ...ofVideo, data: { ...processed, topicId } });
  await waitFor(async () => (await read()).status === 'ready', { until: 'the processed video' });
  t.same(await read(), processed);

  const withoutCaptions = { ...processed, captions: [] };
  await appendEvent(publisher.db, captionRemoved, { ...ofVideo, data: { ...captioned, video: withoutCaptions } });
  await waitFor(async () => (await read()).captions.length === 0, { until: 'the removal of the captions' });
  t.same(await read(), withoutCaptions);
});

t.test('cached access is invalidated if events may have been missed', async (t) => {
  const learner = testPrincipal();
  const { subject, topic } = await createBranch();
  content.enroll(subject.id);
  const isGranted = async () =>
    (await call('GET', `/api/education/topics/${topic.id}`, { as: learner })).json.data.access.granted;
  t.equal(await isGranted(), true);
  content.enroll(subject.id, false);
  await nats.kill();
  await waitFor(async () => !(await isGranted()), { timeoutMs: 8_000, until: 'access is denied' });
});
