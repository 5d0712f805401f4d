import { createId } from '@lms/database/columns';
import { untilLocked } from '@lms/testing/database';
import t from 'tap';
import { purgeDeleted } from '../src/hierarchy/purge-deleted.ts';
import { nodes } from '../src/hierarchy/repository.ts';
import { admin, startContent } from './content-service.ts';

const { call, create, createBranch, database } = await startContent(t);

const path = (type: string, id: string) => `/api/admin/education/${type}/${id}`;
const remove = (type: string, id: string, query = '') => call('DELETE', path(type, id) + query, { as: admin });
const restore = (type: string, id: string) => call('POST', `${path(type, id)}/restore`, { as: admin });
const read = async (type: string, id: string) => (await call('GET', path(type, id), { as: admin })).json.data;
const eventsOf = async (type: string, ids: string[]) => {
  const { sql } = database;
  const rows =
    await sql`select aggregate_id from outbox where type = ${type} and aggregate_id in ${sql(ids)} order by ordinal`;
  return rows.map(({ aggregate_id }) => aggregate_id);
};

t.test('a delete includes everything below, frees the names and publishes one event per item', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  const { status, json } = await remove('levels', level.id);
  t.equal(status, 200);
  t.match(json.data, { id: level.id, deletedAt: String, deleted: { grades: 1, subjects: 1, topics: 1 } });
  for (const [type, { id }] of Object.entries({ levels: level, grades: grade, subjects: subject, topics: topic })) {
    t.match(await read(type, id), { isActive: false, deletedAt: json.data.deletedAt }, type);
    t.equal((await call('GET', `/api/education/${type}/${id}`)).status, 404, type);
    t.equal((await remove(type, id)).status, 404, 'again');
    t.equal((await call('PUT', path(type, id), { as: admin, body: { name: 'x' } })).status, 404);
    t.same(await eventsOf(`content.${type.slice(0, -1)}.deleted`, [id]), [id]);
  }
  await create('levels', { name: level.name, description: 'Named like it' });
});

t.test('a dry run counts and deletes nothing', async (t) => {
  const { grade, subject } = await createBranch();
  await create('topics', { name: 'Second', description: 'x', content: 'x', subjectId: subject.id });
  const { json } = await remove('grades', grade.id, '?dryRun=true');
  t.same(json.data, { id: grade.id, deletedAt: null, deleted: { grades: 0, subjects: 1, topics: 2 } });
  t.match(await read('grades', grade.id), { deletedAt: null, isActive: true });
  t.equal((await remove('grades', grade.id, '?dryRun=perhaps')).status, 422);
  t.equal((await remove('grades', createId(), '?dryRun=true')).status, 404);
});

t.test('a restore restores exactly what the delete deleted, each item in its former state', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  const earlier = await create('topics', {
    name: 'Deleted before',
    description: 'x',
    content: 'x',
    subjectId: subject.id,
  });
  const inactive = await create('topics', {
    name: 'Inactive',
    description: 'x',
    content: 'x',
    subjectId: subject.id,
    isActive: false,
  });
  await remove('topics', earlier.id);
  await remove('levels', level.id);

  const { status, json } = await restore('levels', level.id);
  t.equal(status, 200);
  t.match(json.data, { id: level.id, name: level.name, isActive: true, deletedAt: null });
  for (const [type, item] of [
    ['grades', grade],
    ['subjects', subject],
    ['topics', topic],
    ['topics', inactive],
  ] as const)
    t.match(await read(type, item.id), { ...item, updatedAt: String }, item.name);
  t.match(await read('topics', earlier.id), { deletedAt: String }, 'deleted by another delete');
  t.equal((await call('GET', `/api/education/topics/${topic.id}`)).status, 200);
  t.equal((await call('GET', `/api/education/topics/${inactive.id}`)).status, 404);
  t.same(
    await eventsOf('content.topic.restored', [topic.id, inactive.id, earlier.id]).then((ids) => ids.sort()),
    [topic.id, inactive.id].sort(),
  );
  t.equal((await restore('topics', earlier.id)).status, 200);
});

t.test('a restore that is not possible returns the reason', async (t) => {
  const { level, grade, subject } = await createBranch();
  t.match(await restore('levels', level.id), {
    status: 409,
    json: { code: 'INVALID_STATE', details: { current: 'ACTIVE' } },
  });
  t.equal((await restore('levels', createId())).status, 404);
  await remove('subjects', subject.id);
  await create('subjects', { name: subject.name, description: 'x', gradeId: grade.id });
  t.match(await restore('subjects', subject.id), {
    status: 409,
    json: { code: 'CONFLICT', details: { resource: 'Subject', field: 'name', value: subject.name } },
  });
  await remove('grades', grade.id);
  t.match(await restore('subjects', subject.id), {
    status: 404,
    json: { code: 'NOT_FOUND', error: 'Grade not found' },
  });
});

t.test('a restored subject stays hidden while its grade is inactive', async (t) => {
  const { grade, subject, topic } = await createBranch();
  await remove('subjects', subject.id);
  await call('PUT', path('grades', grade.id), { as: admin, body: { isActive: false } });
  await restore('subjects', subject.id);
  t.match(await read('subjects', subject.id), { isActive: true });
  t.equal((await call('GET', `/api/education/topics/${topic.id}`)).status, 404);
  await call('PUT', path('grades', grade.id), { as: admin, body: { isActive: true } });
  t.equal((await call('GET', `/api/education/topics/${topic.id}`)).status, 200);
});

t.test('a level with a thousand topics is deleted and restored completely', async (t) => {
  const { level, subject } = await createBranch();
  const { sql } = database;
  await sql`insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, content)
    select 'a' || substr(md5(n::text), 1, 23), 'topic', ${subject.id}, 'Topic ' || n, 'x', n, n % 3 > 0, n % 3 > 0, 'x'
    from generate_series(1, 1000) as n`;
  const counted = () =>
    call('GET', `/api/education/subjects/${subject.id}/topics?limit=1`).then(({ json }) => json.pagination?.total);
  const before = await counted();
  t.match((await remove('levels', level.id)).json.data, { deleted: { grades: 1, subjects: 1, topics: 1001 } });
  t.equal((await restore('levels', level.id)).status, 200);
  t.equal(await counted(), before);
  const [events] =
    await sql`select count(*)::int as restored from outbox where type = 'content.topic.restored' and data->>'subjectId' = ${subject.id}`;
  t.equal(events?.restored, 1001);
});

t.test('concurrent deletes, restores, creates and moves leave no deadlock and no orphans', async (t) => {
  const branches = await Promise.all(Array.from({ length: 3 }, () => createBranch()));
  const responses = await Promise.all(
    branches.flatMap(({ level, grade, subject, topic }, index) => [
      remove('levels', level.id),
      remove('subjects', subject.id),
      remove('topics', topic.id),
      restore('levels', level.id),
      call('PUT', path('subjects', subject.id), { as: admin, body: { gradeId: branches[(index + 1) % 3]?.grade.id } }),
      call('POST', '/api/admin/education/topics', {
        as: admin,
        body: { name: 'Late', description: 'x', content: 'x', subjectId: subject.id },
      }),
      call('POST', '/api/admin/education/subjects', {
        as: admin,
        body: { name: 'Late', description: 'x', gradeId: grade.id },
      }),
    ]),
  );
  t.same(
    responses.filter(({ status }) => status >= 500),
    [],
  );
  const orphans = await database.sql`select c.id from nodes c join nodes p on p.id = c.parent_id
    where (c.deleted_at is null and p.deleted_at is not null) or c.is_live <> (c.is_active and p.is_live)`;
  t.same(orphans, []);
});

t.test('only items deleted before the retention period are purged, each with an event', async (t) => {
  const deleted = await createBranch();
  const remaining = await createBranch();
  await remove('topics', deleted.topic.id);
  await remove('levels', deleted.level.id);
  const ids = [deleted.level.id, deleted.grade.id, deleted.subject.id, deleted.topic.id];
  await purgeDeleted(database.db, 30);
  t.match(await read('levels', deleted.level.id), { id: deleted.level.id }, 'within the retention period');

  const later = new Date(Date.now() + 31 * 24 * 3_600_000);
  await Promise.all([purgeDeleted(database.db, 30, later), purgeDeleted(database.db, 30, later)]);
  for (const [type, { id }] of Object.entries({
    levels: deleted.level,
    grades: deleted.grade,
    subjects: deleted.subject,
    topics: deleted.topic,
  }))
    t.equal((await call('GET', path(type, id), { as: admin })).status, 404, type);
  for (const kind of ['level', 'grade', 'subject', 'topic'])
    t.equal((await eventsOf(`content.${kind}.purged`, ids)).length, 1, kind);
  t.match(await read('topics', remaining.topic.id), { deletedAt: null });
});

t.test('a restore during the purge brings back everything or nothing', async (t) => {
  const { level, subject } = await createBranch();
  await database.sql`
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, content)
    select ${level.id} || n, 'topic', ${subject.id}, 'Topic ' || n, '', n, true, true, ''
    from generate_series(1, 600) as n`;
  await remove('levels', level.id);
  // Both wait for the lock on the structure, and get it one after the other.
  const running = await database.db.transaction(async (tx) => {
    await nodes(tx).lockStructure();
    const purged = purgeDeleted(database.db, 30, new Date(Date.now() + 31 * 24 * 3_600_000));
    await untilLocked(database);
    const restored = restore('levels', level.id);
    await untilLocked(database, 2);
    return [purged, restored] as const;
  });
  const [purged, { status }] = await Promise.all(running);
  t.same({ purged: purged >= 604, status }, { purged: true, status: 404 });
  t.same([...(await database.sql`select from nodes where parent_id = ${subject.id}`)], []);
});

t.test('the counts in node_counts match the rows after all these changes', async (t) => {
  const counted =
    await database.sql`select kind, is_active, deleted_at is not null as is_deleted, count(*)::int as total
    from nodes group by 1, 2, 3 order by 1, 2, 3`;
  const stored =
    await database.sql`select kind, is_active, is_deleted, total from node_counts where total <> 0 order by 1, 2, 3`;
  t.same([...stored], [...counted]);
});
