import { userDeleted } from '@lms/contracts/events/identity';
import { videoRemoved } from '@lms/contracts/events/media';
import { createId } from '@lms/database/columns';
import { connect } from '@lms/database/connect';
import { isLockTimeout } from '@lms/database/errors';
import { openTransaction } from '@lms/database/open-transaction';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { removalHandlers } from '../src/hierarchy/on-media-changed.ts';
import { userHandlers } from '../src/hierarchy/on-user-changed.ts';
import { nodes } from '../src/hierarchy/repository.ts';
import { createWriteSlots } from '../src/hierarchy/write-slots.ts';
import { admin, startContent } from './content-service.ts';

/** Locks the structure as an import in another process does. @returns a function that releases it */
async function holdStructure(t: Test, url: string) {
  const other = connect(url, { max: 1 });
  t.teardown(() => other.close());
  const { tx, rollback } = await openTransaction(other.db);
  await nodes(tx).lockStructure();
  return rollback;
}

function createVideo() {
  const file = { fileName: 'a.mp4', mimeType: 'video/mp4', size: 5, checksum: `sha256:${'a'.repeat(64)}` };
  return { video: { ...file, id: createId(), uploadedAt: new Date().toISOString() }, videoUrl: '/api/video' };
}

t.test('while an import writes, more changes than connections wait, and reads do not', async (t) => {
  const { call, createBranch, database, enroll } = await startContent(t);
  const { subject, topic } = await createBranch();
  const learner = testPrincipal();
  enroll(subject.id);
  const release = await holdStructure(t, database.url);

  const topicPath = `/api/admin/education/topics/${topic.id}`;
  const changes = Array.from({ length: 12 }, (_, index) =>
    call('PUT', topicPath, { as: admin, body: index % 2 === 0 ? { position: index } : { isActive: true } }),
  );
  for (const name of ['one', 'two']) {
    const level = { as: admin, body: { name, description: 'A level' }, headers: { 'idempotency-key': name } };
    changes.push(call('POST', '/api/admin/education/levels', level));
  }
  changes.push(call('PUT', `/internal/topics/${topic.id}/video`, { as: admin, body: createVideo() }));
  const listWaiting = () => database.sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await waitFor(async () => (await listWaiting()).length >= 3, { until: 'changes to wait for the lock' });

  t.equal((await call('GET', '/api/education/levels')).status, 200);
  t.match(await call('GET', `/internal/topics/${topic.id}/access`, { as: learner }), {
    status: 200,
    json: { data: { read: { granted: true } } },
  });
  t.equal((await call('DELETE', `${topicPath}?dryRun=true`, { as: admin })).status, 200);
  await release();
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  t.same(statuses, [...Array(12).fill(200), 201, 201, 200]);
});

t.test(
  'handlers of events fail with a lock timeout while an import writes, after which consumers repeat them',
  async (t) => {
    const { call, createBranch, database } = await startContent(t);
    const mentor = testPrincipal(['MENTOR']);
    const { subject, topic } = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
    const shown = createVideo();
    await call('PUT', `/internal/topics/${topic.id}/video`, { as: admin, body: shown });
    const now = new Date().toISOString();
    const { userId, ...state } = mentor;
    const events = [
      { definition: videoRemoved, data: { ...shown.video, topicId: topic.id, current: null } },
      { definition: userDeleted, data: { ...state, id: userId, roles: [], createdAt: now, updatedAt: now } },
    ];
    for (const { definition, data } of events) {
      const handler = [...removalHandlers, ...userHandlers].find(({ type }) => type === definition.type);
      const { type, subject } = definition;
      const body = JSON.stringify({ ...data, version: 2 });
      const message = {
        id: createId(),
        aggregateId: data.id,
        subject,
        headers: { 'ce-type': type, 'ce-time': now },
        body,
      };
      const release = await holdStructure(t, database.url);
      const handle = () =>
        database.db.transaction(async (tx) => {
          await tx.execute('set local lock_timeout = 50');
          await handler?.handle(tx, message);
        });
      t.ok(isLockTimeout(await handle().catch((error: unknown) => error)), type);
      await release();
      await handle();
    }
    t.match((await call('GET', `/api/admin/education/topics/${topic.id}`, { as: admin })).json.data, { video: null });
    t.match((await call('GET', `/api/admin/education/subjects/${subject.id}`, { as: admin })).json.data, {
      mentorId: null,
    });
  },
);

t.test('a slot is passed on when its work ends, fails or is not wanted any more', async (t) => {
  const inWriteSlot = createWriteSlots(1, 30_000);
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const client = { destroyed: false };
  const results = Promise.allSettled([
    inWriteSlot(() => ended),
    inWriteSlot(() => Promise.reject(new Error('failed'))),
    inWriteSlot(async () => t.fail('the client has left'), client),
    inWriteSlot(async () => 'done'),
  ]);
  client.destroyed = true;
  end();
  t.match(await results, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: 'failed' } },
    { status: 'rejected', reason: { statusCode: 503 } },
    { status: 'fulfilled', value: 'done' },
  ]);
  t.equal(await inWriteSlot(async () => 'again'), 'again');
});

t.test('without a free slot in time, a write is a 503 with Retry-After', async (t) => {
  const inWriteSlot = createWriteSlots(1, 10);
  let end = () => {};
  const first = inWriteSlot(() => new Promise<void>((resolve) => (end = resolve)));
  const error = await inWriteSlot(async () => t.fail('must not run')).catch((reason: unknown) => reason);
  t.match(error, { statusCode: 503, headers: { 'retry-after': '5' } });
  end();
  await first;
  t.equal(await inWriteSlot(async () => 'again'), 'again');
});
