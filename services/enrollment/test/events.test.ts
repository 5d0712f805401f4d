import { subjectEvents } from '@lms/contracts/events/content';
import { type EnrollmentState, enrollmentApproved, enrollmentRequested } from '@lms/contracts/events/enrollment';
import { userCreated, userUpdated } from '@lms/contracts/events/identity';
import { appendEvent } from '@lms/events/append-event';
import { on } from '@lms/events/event-handler';
import { testPrincipal } from '@lms/testing/principals';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { connectToNats, startOtherService, subjectState, userState } from './test-events.ts';
import { startTestService } from './test-service.ts';

t.test('names and e-mails come from the passport first and then from the events of identity', async (t) => {
  const service = await startTestService(t);
  const { nats } = await connectToNats(t, service);
  const identity = await startOtherService(t, nats);
  const learner = testPrincipal(['LEARNER'], { firstName: 'Old' });
  await service.request(service.content.addSubject().id, learner);
  const admin = testPrincipal(['ADMIN']);
  const shown = async () => (await service.call(admin, 'GET', '/api/admin/enrollment/pending')).data[0].user;
  t.equal((await shown()).firstName, 'Old');

  const state = userState({ id: learner.userId, firstName: 'New', email: 'new@lms.test' });
  await identity.db.transaction(async (tx) => {
    await appendEvent(tx, userCreated, { aggregateId: state.id, data: { ...state, firstName: 'Middle' } });
    await appendEvent(tx, userUpdated, { aggregateId: state.id, data: state });
  });
  await waitFor(async () => (await shown()).firstName === 'New', { until: 'the new name' });
  t.match(await shown(), { email: 'new@lms.test', lastName: 'Last' });
});

t.test('a renamed subject shows its new name', async (t) => {
  const service = await startTestService(t);
  const { nats } = await connectToNats(t, service);
  const content = await startOtherService(t, nats);
  const subject = service.content.addSubject({ name: 'Before' });
  const { learner } = await service.request(subject.id);
  await appendEvent(content.db, subjectEvents.updated, {
    aggregateId: subject.id,
    data: subjectState({ id: subject.id, gradeId: subject.gradeId, name: 'After' }),
  });
  const name = async () => (await service.call(learner, 'GET', '/api/enrollment')).data[0].subject.name;
  t.equal(await waitFor(async () => (await name()) !== 'Before' && name(), { until: 'the new name' }), 'After');
});

t.test('events are published in order, including those appended while NATS was down', async (t) => {
  const service = await startTestService(t);
  const { nats } = await connectToNats(t, service);
  const events: EnrollmentState[] = [];
  const otherService = await startOtherService(t, nats);
  const handlers = [enrollmentRequested, enrollmentApproved].map((event) =>
    on(event, async (_tx, { data }) => events.push(data)),
  );
  otherService.subscribe('lms.enrollment.enrollment.*.v1', handlers);
  await service.request(service.content.addSubject().id);
  await waitFor(() => events.length === 1, { until: 'the first event' });

  await nats.kill();
  const { enrollment } = await service.request(service.content.addSubject().id, testPrincipal(), 'between us');
  const admin = testPrincipal(['ADMIN']);
  t.equal((await service.call(admin, 'PUT', `/api/admin/enrollment/${enrollment.id}/approve`)).status, 200);
  await nats.restart();

  await waitFor(() => events.length === 3, { until: 'the events of the outage' });
  t.match(events.slice(1), [
    { id: enrollment.id, status: 'PENDING' },
    { id: enrollment.id, status: 'APPROVED', decidedBy: admin.userId },
  ]);
  t.notMatch(JSON.stringify(events), /between us/, 'events do not contain the message');
});

t.test('closing does not wait for a pending fetch', async (t) => {
  const service = await startTestService(t);
  const nats = await startNats(t);
  const identity = await startOtherService(t, nats);
  const durations: number[] = [];
  // On a busy machine one of them may take as long for other reasons.
  for (const count of [1, 2, 3]) {
    const { close } = await connectToNats(t, service, nats);
    const state = userState();
    await appendEvent(identity.db, userCreated, { aggregateId: state.id, data: state });
    await waitFor(async () => (await service.database.sql`select 1 from people`).length === count, {
      until: 'a first event',
    });
    const before = Date.now();
    await close();
    durations.push(Date.now() - before);
    if (Math.min(...durations) < 2_500) break;
  }
  t.ok(Math.min(...durations) < 4_500, `less than the expiry of a fetch: ${durations.join(', ')} ms`);
});
