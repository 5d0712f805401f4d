import { streamName } from '@lms/contracts/events/definition';
import { connectBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const logger = pino({ level: 'silent' });
const { call, createBranch, database } = await startContent(t);
const nats = await startNats(t);
const bus = connectBus(nats.url, 'test', logger);
const relay = startRelay(database, bus, 'content', logger);
t.teardown(async () => {
  await bus.close();
  await relay.ended;
});

async function lastMessage(subject: string, count: number) {
  const { manager } = await bus.connected();
  await waitFor(
    async () => {
      const info = await manager.streams.info(streamName, { subjects_filter: 'lms.content.>' }).catch(() => undefined);
      return (info?.state.messages ?? 0) >= count;
    },
    { until: `${count} events` },
  );
  const message = await manager.streams.getMessage(streamName, { last_by_subj: subject });
  return { body: message.json<Record<string, unknown>>(), headers: message.header };
}

t.test('creates and updates publish events with the state, the actor and the changes', async (t) => {
  const { subject } = await createBranch();
  const { body, headers } = await lastMessage('lms.content.subject.created.v1', 4);
  t.match(body, {
    id: subject.id,
    name: 'Algebra',
    mentorId: null,
    version: 1,
    changes: { name: { from: null, to: 'Algebra' } },
  });
  t.equal(headers.get('ce-type'), 'content.subject.created');
  t.equal(headers.get('ce-actorid'), admin.userId);

  const assignment = { mentorId: 'idp_ada', mentorEmail: 'ada@lms.test' };
  await call('PUT', `/api/admin/education/subjects/${subject.id}/mentor`, { as: admin, body: assignment });
  const { body: updated } = await lastMessage('lms.content.subject.updated.v1', 5);
  t.match(updated, {
    id: subject.id,
    version: 2,
    mentorId: 'idp_ada',
    changes: { mentorId: { from: null, to: 'idp_ada' } },
  });
  t.notMatch(JSON.stringify(updated), 'ada@lms.test', 'events contain no e-mail address');
});

t.test('the events of a topic do not contain its text', async (t) => {
  await createBranch();
  const { body } = await lastMessage('lms.content.topic.created.v1', 9);
  t.match(body, { documents: [], video: null, changes: { content: { from: null, to: '18 characters' } } });
  t.notMatch(JSON.stringify(body), 'One and one');
});
