import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const { call, create, createBranch, database } = await startContent(t);
const path = (type: string, id = '') => `/api/admin/education/${type}${id && `/${id}`}`;
const post = (type: string, body: unknown) => call('POST', path(type), { as: admin, body });
const put = (type: string, id: string, body: unknown) => call('PUT', path(type, id), { as: admin, body });
const level = (name: string, externalId?: string | null) => ({ name, description: 'x', externalId });

t.test('every kind has an external id: in creates, updates, reads, filters and events', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  for (const [type, { id, externalId }] of Object.entries({
    levels: level,
    grades: grade,
    subjects: subject,
    topics: topic,
  })) {
    t.equal(externalId, null, 'none by default');
    const own = `school:${type}:1`;
    t.match(await put(type, id, { externalId: own }), { status: 200, json: { data: { externalId: own } } });
    t.match((await call('GET', path(type, id), { as: admin })).json.data, { externalId: own });
    t.match((await call('GET', `/api/education/${type}/${id}`)).json.data, { externalId: own });
    const list = await call('GET', `${path(type)}?externalId=${encodeURIComponent(own)}`, { as: admin });
    t.match(list.json, { data: [{ id }], pagination: { total: 1 } });
    t.same((await call('GET', `${path(type)}?externalId=unknown`, { as: admin })).json.data, []);
    const [event] = await database.sql`select data, changes from outbox
      where aggregate_id = ${id} and type like '%.updated'`;
    t.match(event, { data: { externalId: own }, changes: { externalId: { from: null, to: own } } });
  }
  t.match(await put('levels', level.id, { externalId: null }), { status: 200, json: { data: { externalId: null } } });
  t.match(await put('levels', level.id, { externalId: 'x'.repeat(201) }), { status: 422 });
  t.match(await put('levels', level.id, { externalId: ' ' }), { status: 422 });
});

t.test('an external id is unique among the undeleted items of a kind', async (t) => {
  const first = await create('levels', level('First', 'taken'));
  const details = { resource: 'EducationLevel', field: 'externalId', value: 'taken' };
  t.match(await post('levels', level('Second', 'taken')), { status: 409, json: { code: 'CONFLICT', details } });
  const third = await create('levels', level('Third'));
  t.match(await put('levels', third.id, { externalId: 'taken' }), { status: 409, json: { details } });
  t.match(await put('levels', third.id, { name: 'First' }), {
    status: 409,
    json: { details: { field: 'name', value: 'First' } },
  });
  const grade = { name: 'Grade', level: 'primary', educationLevelId: first.id, externalId: 'taken' };
  t.equal((await post('grades', grade)).status, 201, 'another kind');
  t.equal((await put('levels', first.id, { externalId: 'taken' })).status, 200, 'its own');

  await call('DELETE', path('levels', first.id), { as: admin });
  t.equal((await put('levels', third.id, { externalId: 'taken' })).status, 200, 'free after a delete');
});

t.test('a restore returns 409 if an external id below the item was taken', async (t) => {
  const { level, subject } = await createBranch({ topic: { externalId: 'topic-1' } });
  await call('DELETE', path('levels', level.id), { as: admin });
  const other = await createBranch({ topic: { externalId: 'topic-1' } });
  const restore = () => call('POST', `${path('levels', level.id)}/restore`, { as: admin });
  const details = { resource: 'Topic', field: 'externalId', value: 'topic-1' };
  t.match(await restore(), { status: 409, json: { code: 'CONFLICT', details } });
  t.match((await call('GET', path('subjects', subject.id), { as: admin })).json.data, { deletedAt: String });
  await put('topics', other.topic.id, { externalId: null });
  t.equal((await restore()).status, 200);
});

t.test('of several creates with one external id at the same time, one succeeds', async (t) => {
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => post('levels', level(`Race ${index}`, 'race'))),
  );
  t.same(responses.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
});

t.test('other services find subjects by id in any state, and by external id unless deleted', async (t) => {
  const { subject } = await createBranch();
  const { subject: deleted } = await createBranch();
  await put('subjects', subject.id, { externalId: 'algebra-1' });
  await put('subjects', deleted.id, { externalId: 'algebra-2' });
  await call('DELETE', path('subjects', deleted.id), { as: admin });
  const body = { ids: [subject.id, 'unknown', deleted.id], externalIds: ['algebra-2', 'algebra-1', 'Algebra-1'] };
  const lookUp = (as: Parameters<typeof call>[2]) => call('POST', '/internal/subjects/lookup', { ...as, body });
  const found = { id: subject.id, name: subject.name, gradeId: subject.gradeId, isLive: true };
  t.match(await lookUp({ as: admin }), {
    status: 200,
    json: { data: { byId: [found, null, { id: deleted.id, isLive: false }], byExternalId: [null, found, null] } },
  });
  t.equal((await lookUp({ as: testPrincipal(['MENTOR']) })).status, 403);
  t.equal((await lookUp({})).status, 401);
});
