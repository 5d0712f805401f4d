import { createId } from '@lms/database/columns';
import t from 'tap';
import { purgeDeleted } from '../src/hierarchy/purge-deleted.ts';
import { admin, startContent } from './content-service.ts';

const { call, create, createBranch, database } = await startContent(t);

const path = (type: string, id: string) => `/api/admin/education/${type}/${id}`;
const remove = (type: string, id: string, query = '') => call('DELETE', path(type, id) + query, { as: admin });
const restore = (type: string, id: string) => call('POST', `${path(type, id)}/restore`, { as: admin });
const read = async (type: string, id: string) => (await call('GET', path(type, id), { as: admin })).json.data;
const told = async (type: string, ids: string[]) => {
  const { sql } = database;
  const rows =
    await sql`select aggregate_id from outbox where type = ${type} and aggregate_id in ${sql(ids)} order by ordinal`;
  return rows.map(({ aggregate_id }) => aggregate_id);
};

t.test('a delete takes everything below it, frees the names, and tells of each', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  const { status, json } = await remove('levels', level.id);
  t.equal(status, 200);
  t.match(json.data, { id: level.id, deletedAt: String, deleted: { grades: 1, subjects: 1, topics: 1 } });
  for (const [type, { id }] of Object.entries({ levels: level, grades: grade, subjects: subject, topics: topic })) {
    t.match(await read(type, id), { isActive: false, deletedAt: json.data.deletedAt }, type);
    t.equal((await call('GET', `/api/education/${type}/${id}`)).status, 404, type);
    t.equal((await remove(type, id)).status, 404, 'again');
    t.equal((await call('PUT', path(type, id), { as: admin, body: { name: 'x' } })).status, 404);
    t.same(await told(`content.${type.slice(0, -1)}.deleted`, [id]), [id]);
  }
  await create('levels', { name: level.name, description: 'Named like it' });
});

t.test('a dry run counts and does nothing', async (t) => {
  const { grade, subject } = await createBranch();
  await create('topics', { name: 'Second', description: 'x', content: 'x', subjectId: subject.id });
  const { json } = await remove('grades', grade.id, '?dryRun=true');
  t.same(json.data, { id: grade.id, deletedAt: null, deleted: { grades: 0, subjects: 1, topics: 2 } });
  t.match(await read('grades', grade.id), { deletedAt: null, isActive: true });
  t.equal((await remove('grades', grade.id, '?dryRun=perhaps')).status, 422);
  t.equal((await remove('grades', createId(), '?dryRun=true')).status, 404);
});

t.test('a restore brings back exactly what the delete took, each as it was', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  const earlier = await create('topics', {
    name: 'Gone before',
    description: 'x',
    content: 'x',
    subjectId: subject.id,
  });
  const inactive = await create('topics', {
    name: 'Asleep',
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
    await told('content.topic.restored', [topic.id, inactive.id, earlier.id]).then((ids) => ids.sort()),
    [topic.id, inactive.id].sort(),
  );
  t.equal((await restore('topics', earlier.id)).status, 200);
});

t.test('what cannot be restored says why', async (t) => {
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

t.test('a restored level whose parent sleeps stays hidden', async (t) => {
  const { grade, subject, topic } = await createBranch();
  await remove('subjects', subject.id);
  await call('PUT', path('grades', grade.id), { as: admin, body: { isActive: false } });
  await restore('subjects', subject.id);
  t.match(await read('subjects', subject.id), { isActive: true });
  t.equal((await call('GET', `/api/education/topics/${topic.id}`)).status, 404);
  await call('PUT', path('grades', grade.id), { as: admin, body: { isActive: true } });
  t.equal((await call('GET', `/api/education/topics/${topic.id}`)).status, 200);
});

t.test('a level with a thousand topics goes and comes back whole', async (t) => {
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

t.test('deletes, restores, creations and moves at once end without a deadlock and without orphans', async (t) => {
  const schools = await Promise.all(Array.from({ length: 3 }, () => createBranch()));
  const answers = await Promise.all(
    schools.flatMap(({ level, grade, subject, topic }, index) => [
      remove('levels', level.id),
      remove('subjects', subject.id),
      remove('topics', topic.id),
      restore('levels', level.id),
      call('PUT', path('subjects', subject.id), { as: admin, body: { gradeId: schools[(index + 1) % 3]?.grade.id } }),
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
    answers.filter(({ status }) => status >= 500),
    [],
  );
  const orphans = await database.sql`select c.id from nodes c join nodes p on p.id = c.parent_id
    where (c.deleted_at is null and p.deleted_at is not null) or c.is_live <> (c.is_active and p.is_live)`;
  t.same(orphans, []);
});

t.test('what was deleted long enough ago is purged, with its event, and nothing else', async (t) => {
  const gone = await createBranch();
  const kept = await createBranch();
  await remove('topics', gone.topic.id);
  await remove('levels', gone.level.id);
  const ids = [gone.level.id, gone.grade.id, gone.subject.id, gone.topic.id];
  await purgeDeleted(database.db, 30);
  t.match(await read('levels', gone.level.id), { id: gone.level.id }, 'within the retention');

  const later = new Date(Date.now() + 31 * 24 * 3_600_000);
  await Promise.all([purgeDeleted(database.db, 30, later), purgeDeleted(database.db, 30, later)]);
  for (const [type, { id }] of Object.entries({
    levels: gone.level,
    grades: gone.grade,
    subjects: gone.subject,
    topics: gone.topic,
  }))
    t.equal((await call('GET', path(type, id), { as: admin })).status, 404, type);
  for (const kind of ['level', 'grade', 'subject', 'topic'])
    t.equal((await told(`content.${kind}.purged`, ids)).length, 1, kind);
  t.match(await read('topics', kept.topic.id), { deletedAt: null });
});

t.test('the kept counts are right after all of this', async (t) => {
  const counted =
    await database.sql`select kind, is_active, deleted_at is not null as is_deleted, count(*)::int as total
    from nodes group by 1, 2, 3 order by 1, 2, 3`;
  const kept =
    await database.sql`select kind, is_active, is_deleted, total from node_counts where total <> 0 order by 1, 2, 3`;
  t.same([...kept], [...counted]);
});
