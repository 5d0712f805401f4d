import { enrollmentRevoked } from '@lms/contracts/events/enrollment';
import { userCreated, userDeleted, userRoleChanged, userUpdated } from '@lms/contracts/events/identity';
import type { Principal, Role } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { appendEvent } from '@lms/events/append-event';
import { openBus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import { listen } from '@lms/events/listen';
import { startRelay } from '@lms/events/relay';
import { testDatabase } from '@lms/testing/database';
import { person } from '@lms/testing/people';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { consumers, onEnrollmentChanged } from '../src/consumers.ts';
import { admin, migrations, openContent } from './open-content.ts';

const logger = pino({ level: 'silent' });
const content = await openContent(t);
const { call, plant, database } = content;
const nats = await startNats(t);
const bus = openBus(nats.url, 'content', logger);
const consuming = consumers.map((consumer) => consume({ ...consumer, database, bus, logger }).ended);
await listen({ ...onEnrollmentChanged(content.authority), bus });

// A neighbour with an outbox of its own tells what the tests want heard.
const neighbour = await testDatabase(t, migrations);
const relay = startRelay(neighbour, bus, 'identity', logger);
t.teardown(async () => {
  await bus.close();
  await Promise.all([...consuming, relay.ended]);
});

const stateOf = ({ userId, ...state }: Principal, given: { identityProviderId?: null; email?: string } = {}) => {
  const now = new Date().toISOString();
  return { ...state, id: userId, createdAt: now, updatedAt: now, ...given };
};
type Definition = typeof userCreated;
const tell = (definition: Definition, who: Principal, given: Parameters<typeof stateOf>[1] = {}, from?: Role[]) =>
  appendEvent(neighbour.db, definition, {
    aggregateId: who.userId,
    data: stateOf(who, given),
    ...(from && { changes: { roles: { from, to: who.roles } } }),
    cause: { actorId: admin.userId },
  });
const dealtWith = async (events: number) => {
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
const nobody = { mentorId: null, mentorEmail: null };
let heard = 0;

t.test('assignments end with the role of MENTOR, and are told as updates by whoever ended it', async (t) => {
  const mentor = person(['MENTOR', 'LEARNER']);
  const names = { mentorId: mentor.identityProviderId, mentorEmail: mentor.email };
  const first = await plant({ subject: names });
  const byAddress = await plant({ subject: { mentorEmail: mentor.email } });
  const other = await plant({ subject: { mentorId: 'idp_other' } });
  await tell(userCreated, mentor);
  await tell(userUpdated, { ...mentor, firstName: 'Ada' });
  heard += 2;
  await dealtWith(heard);
  t.same(await mentorOf(first.subject), names, 'other news ends nothing');

  await tell(userRoleChanged, { ...mentor, roles: ['LEARNER'] }, {}, ['MENTOR', 'LEARNER']);
  heard += 1;
  await dealtWith(heard);
  t.same(await mentorOf(first.subject), nobody);
  t.same(await mentorOf(byAddress.subject), nobody);
  t.same(await mentorOf(other.subject), { mentorId: 'idp_other', mentorEmail: null });
  const [event] =
    await database.sql`select * from outbox where aggregate_id = ${first.subject.id} and type = 'content.subject.updated'`;
  t.match(event, {
    actor_id: admin.userId,
    changes: { mentorId: { from: mentor.identityProviderId, to: null } },
  });
});

t.test('somebody who is no mentor yet keeps what waits for them', async (t) => {
  const learner = person();
  const { subject } = await plant({ subject: { mentorId: learner.identityProviderId } });
  await tell(userUpdated, learner);
  heard += 1;
  await dealtWith(heard);
  t.match(await mentorOf(subject), { mentorId: learner.identityProviderId });
});

t.test('assignments end with the account, also when it names nobody any more', async (t) => {
  const [deleted, anonymized] = [person(['MENTOR']), person(['MENTOR'])];
  const one = await plant({ subject: { mentorId: deleted.identityProviderId, mentorEmail: deleted.email } });
  const two = await plant({ subject: { mentorId: anonymized.identityProviderId, mentorEmail: anonymized.email } });
  const gone = await plant({ subject: { mentorId: anonymized.identityProviderId, mentorEmail: anonymized.email } });
  await call('DELETE', `/api/admin/education/subjects/${gone.subject.id}`, { as: admin });
  await tell(userCreated, anonymized);
  await tell(userDeleted, { ...deleted, roles: [], status: 'INACTIVE' });
  await tell(
    userDeleted,
    { ...anonymized, roles: [], status: 'INACTIVE' },
    { identityProviderId: null, email: `anonymized-${anonymized.userId}@invalid` },
  );
  heard += 3;
  await dealtWith(heard);
  t.same(await mentorOf(one.subject), nobody);
  t.same(await mentorOf(two.subject), nobody);
  t.same(await mentorOf(gone.subject), nobody, 'a deleted subject keeps no address either');
  const traces = await database.sql`select 1 from mentors where email is not null and not is_mentor`;
  t.equal(traces.length, 0);
});

t.test('old news that arrives late ends nothing', async (t) => {
  const mentor = person(['MENTOR']);
  await tell(userCreated, mentor);
  await tell(userRoleChanged, mentor, {}, ['LEARNER']);
  heard += 2;
  await dealtWith(heard);
  const { subject } = await plant({ subject: { mentorId: mentor.identityProviderId } });
  await neighbour.sql`update aggregate_versions set version = 0 where aggregate_id = ${mentor.userId}`;
  await tell(userRoleChanged, { ...mentor, roles: [] }, {}, ['MENTOR']);
  heard += 1;
  await dealtWith(heard);
  t.match(await mentorOf(subject), { mentorId: mentor.identityProviderId });
});

t.test('a revoked enrollment closes the substance at once', async (t) => {
  const learner = person();
  const { subject, topic } = await plant();
  const isGranted = async () =>
    (await call('GET', `/api/education/topics/${topic.id}`, { as: learner })).json.data.access.granted;
  content.enroll(subject.id);
  t.equal(await isGranted(), true);
  content.enroll(subject.id, false);
  t.equal(await isGranted(), true, 'remembered for some seconds');
  const now = new Date().toISOString();
  await appendEvent(neighbour.db, enrollmentRevoked, {
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
  relay.nudge();
  await waitFor(async () => !(await isGranted()), { timeoutMs: 2_000, until: 'the refusal' });
});

t.test('when news may have been missed nothing is remembered', async (t) => {
  const learner = person();
  const { subject, topic } = await plant();
  content.enroll(subject.id);
  const isGranted = async () =>
    (await call('GET', `/api/education/topics/${topic.id}`, { as: learner })).json.data.access.granted;
  t.equal(await isGranted(), true);
  content.enroll(subject.id, false);
  await nats.kill();
  await waitFor(async () => !(await isGranted()), { timeoutMs: 5_000, until: 'the refusal' });
});
