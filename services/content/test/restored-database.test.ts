import { createId } from '@lms/database/columns';
import t from 'tap';
import { publishCurrentNodes } from '../src/hierarchy/publish-current-nodes.ts';
import { admin, startContent } from './content-service.ts';

t.test('after a restore, lost changes of nodes are published as they are now', async (t) => {
  const { call, createBranch, database } = await startContent(t);
  const { level, subject, topic } = await createBranch();
  await call('DELETE', `/api/admin/education/topics/${topic.id}`, { as: admin });
  const lastEvent = async (id: string) => {
    const [row] = await database.sql`
      select type, data from outbox where aggregate_id = ${id} order by ordinal desc limit 1`;
    return { type: row?.type, data: row?.data };
  };
  const [levelEvent, topicEvent, subjectEvent] = [
    await lastEvent(level.id),
    await lastEvent(topic.id),
    await lastEvent(subject.id),
  ];
  const goneId = createId();
  await database.sql`delete from outbox`;
  await database.db.transaction((tx) =>
    publishCurrentNodes(tx, [
      { type: 'content.topic.restored', aggregateId: topic.id, data: { ...topicEvent.data, deletedAt: null } },
      { type: 'content.level.deleted', aggregateId: level.id, data: { ...levelEvent.data, deletedAt: 'lost' } },
      { type: 'content.subject.created', aggregateId: goneId, data: { ...subjectEvent.data, id: goneId } },
    ]),
  );
  t.same(await lastEvent(level.id), { type: 'content.level.updated', data: levelEvent.data });
  t.same(await lastEvent(topic.id), topicEvent);
  t.match(await lastEvent(goneId), {
    type: 'content.subject.purged',
    data: { id: goneId, isActive: false, deletedAt: /^2/ },
  });
});
