import { levelEvents } from '@lms/contracts/events/content';
import { defineEvent } from '@lms/contracts/events/definition';
import { enrollmentApproved, enrollmentRequested } from '@lms/contracts/events/enrollment';
import { captionUploaded } from '@lms/contracts/events/media';
import { initialVideoState } from '@lms/contracts/internal/content';
import { createId } from '@lms/database/columns';
import { appendEvent } from '@lms/events/append-event';
import { connectBus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import { replayDeadLetter } from '@lms/events/dead-letters';
import { startRelay } from '@lms/events/relay';
import { beginEpochNow } from '@lms/events/restored-database';
import { deadLetters, inbox } from '@lms/events/tables';
import { testDatabase } from '@lms/testing/database';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { Type } from '@sinclair/typebox';
import { pino } from 'pino';
import t from 'tap';
import { consumers } from '../src/consumers.ts';
import { migrations, startIdentity } from './identity.ts';

const logger = pino({ level: 'silent' });
const iso = new Date().toISOString();

t.test('the audit trail records each admin change in another service once', async (t) => {
  const nats = await startNats(t);
  const { database, as, signIn } = await startIdentity(t);
  const boss = await signIn('boss');
  // Every service has the same outbox table, so a second identity database can publish content's events.
  const producer = await testDatabase(t, migrations);
  const bus = connectBus(nats.url, 'identity-test', logger);
  const relay = startRelay(producer, bus, 'content', logger);
  const running = consumers.map((consumer) => consume({ database, bus, logger, ...consumer }));
  t.teardown(async () => {
    await bus.close();
    await Promise.all([relay.ended, ...running.map(({ ended }) => ended)]);
  });

  const levelId = createId();
  const level = {
    id: levelId,
    name: 'Primary',
    description: '',
    imageUrl: null,
    position: 1,
    isActive: true,
    deletedAt: null,
    createdAt: iso,
    updatedAt: iso,
  };
  const learnerId = createId();
  // The part of an enrollment that the audit trail uses.
  const Enrollment = Type.Object({ id: Type.String(), userId: Type.String() });
  const enrollment = { id: createId(), userId: learnerId };
  const ownEnrollment = { id: createId(), userId: boss.userId };
  const file = { fileName: 'a.mp4', mimeType: 'video/mp4', size: 1, checksum: 'sha256:0', uploadedAt: iso };
  const video = { id: createId(), ...file, ...initialVideoState };
  const captions = { language: 'en', label: 'English', kind: 'captions', default: false } as const;
  const cause = { actorId: boss.userId, requestId: 'request-0001' };
  const changes = { name: { from: 'Basic', to: 'Primary' } };
  await producer.db.transaction(async (tx) => {
    await appendEvent(tx, levelEvents.updated, { aggregateId: levelId, data: level, changes, cause });
    await appendEvent(tx, levelEvents.deleted, { aggregateId: levelId, data: level });
    const requested = { aggregateId: enrollment.id, data: enrollment, cause: { actorId: learnerId } };
    await appendEvent(tx, defineEvent(enrollmentRequested.type, Enrollment), requested);
    await appendEvent(tx, defineEvent(enrollmentApproved.type, Enrollment), {
      aggregateId: enrollment.id,
      data: enrollment,
      cause,
    });
    const data = { ...captions, topicId: createId(), video };
    await appendEvent(tx, captionUploaded, { aggregateId: video.id, data, cause });
    for (const event of [enrollmentRequested, enrollmentApproved])
      await appendEvent(tx, defineEvent(event.type, Enrollment), {
        aggregateId: ownEnrollment.id,
        data: ownEnrollment,
        cause,
      });
  });
  const processed = () => database.db.select().from(inbox);
  await waitFor(async () => (await processed()).length === 7, { until: 'seven processed events' });

  const trail = (await as(boss).get('/api/admin/audit?sort=createdAt&order=asc')).body;
  t.equal(trail.pagination.total, 4, "learners' own changes and changes by a service are not recorded");
  const byAction = (await as(boss).get('/api/admin/audit?action=level.updated')).body.data;
  t.match(byAction, [
    {
      actorId: boss.userId,
      action: 'level.updated',
      entity: 'level',
      entityId: levelId,
      changes,
      requestId: 'request-0001',
      createdAt: /Z$/,
    },
  ]);
  t.match(
    (await as(boss).get('/api/admin/audit?action=caption.uploaded')).body.data,
    [{ entity: 'caption', entityId: video.id }],
    'captions are recorded with their video',
  );
  t.match((await as(boss).get(`/api/admin/audit?entity=enrollment&entityId=${enrollment.id}`)).body.data, [
    { action: 'enrollment.approved', changes: {} },
  ]);
  t.match(
    (await as(boss).get(`/api/admin/audit?entityId=${ownEnrollment.id}`)).body.data,
    [{ action: 'enrollment.approved', actorId: boss.userId }],
    'an admin who approves their own enrollment is recorded',
  );

  const [event] = await producer.sql`select id from outbox where type = ${levelEvents.updated.type}`;
  for (const epoch of [1, 2]) {
    await beginEpochNow(producer.db);
    const count = 7 * (epoch + 1);
    await waitFor(async () => (await processed()).length === count, { until: `${count} processed events` });
  }
  const { type, subject } = levelEvents.updated;
  await database.sql`delete from inbox where event_id = ${event?.id}`;
  await database.db.insert(deadLetters).values({
    id: 'letter',
    consumer: 'identity-audit-content',
    eventId: event?.id,
    subject,
    body: JSON.stringify({ ...level, version: 1 }),
    headers: { 'ce-type': type, 'ce-subject': levelId, 'ce-actorid': boss.userId },
    error: 'VersionConflict',
    attempts: 1,
  });
  const handlers = consumers.flatMap((consumer) => consumer.handlers);
  await replayDeadLetter(database.db, handlers, 'letter');
  t.same(
    (await as(boss).get('/api/admin/audit?sort=createdAt&order=asc')).body,
    trail,
    'events that are published again as new ones, and their dead letters, are recorded once',
  );
});

t.test('the audit trail handles every event type of the other services', async (t) => {
  const types = consumers.flatMap(({ handlers }) => handlers.map(({ type }) => type));
  for (const type of [
    'content.level.created',
    'content.topic.restored',
    'media.document.removed',
    'media.video.uploaded',
  ])
    t.ok(types.includes(type), type);
  t.same(
    consumers.map(({ filter }) => filter),
    ['lms.content.>', 'lms.media.>', 'lms.enrollment.>'],
  );
});

t.test('admins filter the audit trail by actor, entity, action and time', async (t) => {
  const { as, signIn, anonymous } = await startIdentity(t);
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  await as(boss).put(`/api/users/${ann.userId}`, { plan: 'PRO' });
  await as(boss).post(`/api/users/${ann.userId}/roles`, { role: 'ADMIN' });
  const deputy = { ...ann, roles: ['ADMIN' as const] };
  await as(deputy).put(`/api/users/${boss.userId}`, { plan: 'ENTERPRISE' });
  const expected: Record<string, number> = {
    '': 3,
    [`actorId=${boss.userId}`]: 2,
    [`actorId=${ann.userId}&entity=user`]: 1,
    [`entityId=${ann.userId}`]: 2,
    'action=user.role-changed': 1,
    'entity=level': 0,
    'actorId=unknown': 0,
    'createdFrom=2100-01-01': 0,
    'createdTo=2100-01-01&limit=1': 3,
  };
  for (const [query, total] of Object.entries(expected))
    t.equal((await as(boss).get(`/api/admin/audit?${query}`)).body.pagination.total, total, query || 'no filter');
  for (const query of ['sort=actorId', 'actorId=', `action=${'x'.repeat(101)}`, 'createdFrom=x', 'entity=%00'])
    t.equal((await as(boss).get(`/api/admin/audit?${query}`)).status, 422, query);
  t.equal((await as(ann).get('/api/admin/audit')).status, 403);
  t.equal((await anonymous.get('/api/admin/audit')).status, 401);
  await as(ann).put('/api/auth/profile', { firstName: 'Ann' });
  t.equal(
    (await as(boss).get('/api/admin/audit')).body.pagination.total,
    3,
    'a profile update by its owner is not recorded',
  );
});

t.test('a failed change is not recorded', async (t) => {
  const { as, signIn } = await startIdentity(t);
  const boss = await signIn('boss');
  await as(boss).put(`/api/users/${boss.userId}`, { status: 'SUSPENDED' });
  await as(boss).delete(`/api/users/${boss.userId}/roles`, { role: 'ADMIN' });
  t.same((await as(boss).get('/api/admin/audit')).body.data, []);
});
