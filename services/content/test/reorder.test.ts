import { createId } from '@lms/database/columns';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const { call, create, createBranch, database } = await startContent(t);
const reorder = (type: string, parentId: string | null, ids: unknown) =>
  call('PUT', `/api/admin/education/${type}/reorder`, { as: admin, body: { parentId, ids } });

async function createTopics() {
  const { subject, topic } = await createBranch();
  const topics = [topic.id];
  for (const name of ['A', 'B', 'C'])
    topics.push((await create('topics', { name, description: 'x', content: 'x', subjectId: subject.id })).id);
  const order = async () =>
    (await call('GET', `/api/education/subjects/${subject.id}/topics`)).json.data.map(({ id }: { id: string }) => id);
  return { subject, topics, order };
}

t.test('children are put in the given order, and only those that moved publish an event', async (t) => {
  const { subject, topics, order } = await createTopics();
  t.same(await order(), topics, 'as created');
  const [a = '', b = '', c = '', d = ''] = topics;
  const wanted = [a, c, b, d];
  t.match(await reorder('topics', subject.id, wanted), {
    status: 200,
    json: { data: { parentId: subject.id, ids: wanted } },
  });
  t.same(await order(), wanted);
  const { sql } = database;
  const events =
    await sql`select aggregate_id from outbox where type = 'content.topic.updated' and aggregate_id in ${sql(topics)}`;
  t.same(events.map(({ aggregate_id }) => aggregate_id).sort(), [b, c].sort());
});

t.test('levels can be reordered too, including inactive ones', async (t) => {
  await create('levels', { name: 'Inactive', description: 'x', isActive: false });
  const { json } = await call('GET', '/api/admin/education/levels?limit=100', { as: admin });
  const ids = json.data.map(({ id }: { id: string }) => id).reverse();
  t.equal((await reorder('levels', null, ids)).status, 200);
  t.match(await reorder('levels', ids[0], ids), {
    status: 422,
    json: { details: { field: 'parentId', message: 'must be null', value: ids[0] } },
  });
  const { json: after } = await call('GET', '/api/admin/education/levels?limit=100', { as: admin });
  t.same(
    after.data.map(({ id }: { id: string }) => id),
    ids,
  );
});

t.test('missing, unrelated, malformed and duplicate ids are reported, and nothing moves', async (t) => {
  const { subject, topics, order } = await createTopics();
  const { topic: foreign } = await createBranch();
  const [a = '', b = '', c = '', d = ''] = topics;
  const cases: [unknown, { field: string; value: string }[]][] = [
    [[a, b, c], [{ field: 'ids', value: d }]],
    [[], topics.map((value) => ({ field: 'ids', value }))],
    [[a, b, c, d, foreign.id], [{ field: 'ids.4', value: foreign.id }]],
    [[a, b, c, d, subject.id], [{ field: 'ids.4', value: subject.id }]],
    [[a, b, c, d, 'nonsense'], [{ field: 'ids.4', value: 'nonsense' }]],
    [[a, b, c, d, a], [{ field: 'ids.4', value: a }]],
    [
      [a, a, c, d],
      [
        { field: 'ids.1', value: a },
        { field: 'ids', value: b },
      ],
    ],
  ];
  for (const [ids, issues] of cases)
    t.match(await reorder('topics', subject.id, ids), {
      status: 422,
      json: { code: 'VALIDATION_ERROR', details: { ...issues[0], issues } },
    });
  for (const ids of [null, 'x', [1], undefined]) t.equal((await reorder('topics', subject.id, ids)).status, 422);
  t.same(await order(), topics);
});

t.test('a parent that is missing, deleted or of another kind is rejected', async (t) => {
  const { level, subject } = await createBranch();
  t.equal((await reorder('topics', createId(), [])).status, 404);
  t.equal((await reorder('topics', 'nonsense', [])).status, 404);
  t.equal((await reorder('topics', level.id, [])).status, 404);
  t.equal((await reorder('topics', null, [])).status, 422);
  t.equal((await reorder('levels', level.id, [])).status, 422);
  await call('DELETE', `/api/admin/education/subjects/${subject.id}`, { as: admin });
  t.equal((await reorder('topics', subject.id, [])).status, 404);
});

t.test('two concurrent reorders leave one of the two orders', async (t) => {
  const { subject, topics, order } = await createTopics();
  const reversed = topics.toReversed();
  const responses = await Promise.all([reorder('topics', subject.id, topics), reorder('topics', subject.id, reversed)]);
  t.same(
    responses.map(({ status }) => status),
    [200, 200],
  );
  t.match([topics.join(), reversed.join()].includes((await order()).join()), true);
});
