import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const { call, create, createBranch } = await startContent(t);
const put = (type: string, id: string, body: unknown, headers: Record<string, string> = {}) =>
  call('PUT', `/api/admin/education/${type}/${id}`, { as: admin, body, headers });

t.test('the message of a response says what was changed', async (t) => {
  const { level, grade, subject } = await createBranch();
  const change = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    (await call(method, `/api/admin/education/${path}`, { as: admin, body })).json.message;
  t.equal(await change('POST', 'levels', { name: 'Message', description: 'x' }), 'Level created');
  t.equal(await change('PUT', `grades/${grade.id}`, { name: 'Other' }), 'Grade updated');
  t.equal(await change('PUT', 'grades/reorder', { parentId: level.id, ids: [grade.id] }), 'Grades reordered');
  t.equal(await change('PUT', `subjects/${subject.id}/mentor`, { mentorId: 'idp_1' }), 'Mentor assigned');
  t.equal(await change('PUT', `subjects/${subject.id}/mentor`, { mentorId: null }), 'Mentor removed');
  t.equal(await change('DELETE', `subjects/${subject.id}?dryRun=true`), 'Dry run: nothing was deleted');
  t.equal(await change('DELETE', `subjects/${subject.id}`), 'Subject deleted');
  t.equal(await change('POST', `subjects/${subject.id}/restore`), 'Subject restored');
  const { json } = await call('GET', `/api/education/levels/${level.id}`);
  t.equal(json.message, undefined, 'a read has no message');
});

t.test('an update changes the given fields only, and sets updatedAt', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  const changes: [string, { id: string; updatedAt: string }, Record<string, unknown>][] = [
    ['levels', level, { description: 'Another', imageUrl: 'https://lms.test/x.png' }],
    ['grades', grade, { level: 'higher', description: '' }],
    ['subjects', subject, { name: 'Geometry', position: 7 }],
    ['topics', topic, { content: 'Two and two is four' }],
  ];
  for (const [type, item, change] of changes) {
    const { status, json } = await put(type, item.id, change);
    t.equal(status, 200, type);
    const { updatedAt, ...rest } = json.data;
    t.match({ ...item, ...change, updatedAt: undefined }, { ...rest, updatedAt: undefined }, type);
    t.ok(Date.parse(updatedAt) >= Date.parse(item.updatedAt));
    const { json: read } = await call('GET', `/api/admin/education/${type}/${item.id}`, { as: admin });
    t.same(read.data, json.data);
  }
});

t.test('a client may send back what it has read; read-only fields do not change', async (t) => {
  const { topic } = await createBranch();
  const { json } = await put('topics', topic.id, {
    ...topic,
    hasVideo: true,
    documents: [{ id: 'x' }],
    deletedAt: null,
  });
  t.match(json.data, { ...topic, updatedAt: String, documents: [], hasVideo: false });
});

t.test('an empty or invalid body returns 422', async (t) => {
  const { level, topic } = await createBranch();
  for (const body of [
    {},
    { unknown: 1 },
    { name: null },
    { name: ' ' },
    { isActive: 'no' },
    { position: 1.5 },
    { description: '' },
  ])
    t.match(
      await put('levels', level.id, body),
      { status: 422, json: { code: 'VALIDATION_ERROR' } },
      JSON.stringify(body),
    );
  t.equal((await put('topics', topic.id, { content: 'x'.repeat(1_000_001) })).status, 422);
  t.equal((await put('levels', createId(), { name: 'x' })).status, 404);
  t.equal((await put('levels', 'nonsense', { name: 7 })).status, 404, 'a malformed id is reported before the body');
  const path = `/api/admin/education/levels/${level.id}`;
  t.equal((await call('PUT', path, { as: testPrincipal(['MENTOR']), body: { name: 'x' } })).status, 403);
  t.equal((await call('PUT', path, { body: { name: 'x' } })).status, 401);
});

t.test('the name of a sibling returns 409, the name of a deleted sibling is free', async (t) => {
  const { subject, topic } = await createBranch();
  const fields = { description: 'x', content: 'x', subjectId: subject.id };
  const other = await create('topics', { name: 'Other', ...fields });
  t.match(await put('topics', topic.id, { name: 'Other' }), {
    status: 409,
    json: { code: 'CONFLICT', details: { resource: 'Topic', field: 'name', value: 'Other' } },
  });
  await call('DELETE', `/api/admin/education/topics/${other.id}`, { as: admin });
  t.equal((await put('topics', topic.id, { name: 'Other' })).status, 200);
});

t.test('a move includes everything below, and puts the item last under the new parent', async (t) => {
  const { subject, topic } = await createBranch();
  const target = await createBranch();
  const { json } = await put('subjects', subject.id, { gradeId: target.grade.id, name: 'Moved' });
  t.match(json.data, { gradeId: target.grade.id, name: 'Moved', position: 1 });
  const { json: subjects } = await call('GET', `/api/education/grades/${target.grade.id}/subjects`);
  t.same(
    subjects.data.map(({ id }: { id: string }) => id),
    [target.subject.id, subject.id],
  );
  t.equal((await call('GET', `/api/education/topics/${topic.id}`)).status, 200);
  const { json: placed } = await put('subjects', subject.id, { gradeId: target.grade.id, position: 0 });
  t.match(placed.data, { position: 0 });
});

t.test(
  'a move to a duplicate name, or to a parent that is missing, deleted, of another kind or the item itself, is rejected',
  async (t) => {
    const { level, grade, subject } = await createBranch();
    const other = await createBranch();
    t.match((await put('subjects', subject.id, { gradeId: other.grade.id })).json, {
      code: 'CONFLICT',
      details: { field: 'name', value: 'Algebra' },
    });
    const deleted = await createBranch();
    await call('DELETE', `/api/admin/education/grades/${deleted.grade.id}`, { as: admin });
    for (const gradeId of [createId(), 'nonsense', level.id, subject.id, deleted.grade.id])
      t.match(await put('subjects', subject.id, { gradeId }), { status: 404, json: { code: 'NOT_FOUND' } }, gradeId);
    t.equal((await put('grades', grade.id, { educationLevelId: grade.id })).status, 404, 'under itself');
    const { json } = await call('GET', `/api/admin/education/subjects/${subject.id}`, { as: admin });
    t.same(json.data, subject, 'nothing has changed');
  },
);

t.test('deactivating an item hides everything below it, activating it shows the same items again', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  await put('subjects', subject.id, { isActive: false });
  await put('levels', level.id, { isActive: false });
  const seen = async (type: string, id: string) => (await call('GET', `/api/education/${type}/${id}`)).status === 200;
  t.notOk((await seen('grades', grade.id)) || (await seen('topics', topic.id)));
  await put('levels', level.id, { isActive: true });
  t.ok(await seen('grades', grade.id));
  t.notOk((await seen('subjects', subject.id)) || (await seen('topics', topic.id)), 'inactive itself');
  await put('subjects', subject.id, { isActive: true });
  t.ok(await seen('topics', topic.id));

  const hidden = await createBranch();
  await put('grades', hidden.grade.id, { isActive: false });
  await put('subjects', subject.id, { gradeId: hidden.grade.id, name: 'Hidden now' });
  t.notOk(await seen('topics', topic.id), 'moved under an inactive parent');
});

t.test('If-Match allows a change only if the item has not changed', async (t) => {
  const { level } = await createBranch();
  const path = `/api/admin/education/levels/${level.id}`;
  const first = await call('GET', path, { as: admin });
  const etag = String(first.headers.etag);
  t.match(etag, /^"[^"]+"$/, 'a strong tag');
  const unchanged = await call('GET', path, { as: admin, headers: { 'if-none-match': etag } });
  t.match(unchanged, { status: 304, json: null });

  const changed = await put('levels', level.id, { description: 'A' }, { 'if-match': etag });
  t.equal(changed.status, 200);
  t.equal(changed.headers.etag, (await call('GET', path, { as: admin })).headers.etag);
  t.match(await put('levels', level.id, { description: 'B' }, { 'if-match': etag }), {
    status: 412,
    json: { code: 'PRECONDITION_FAILED' },
  });
  t.equal((await call('DELETE', path, { as: admin, headers: { 'if-match': etag } })).status, 412);
  const now = String(changed.headers.etag);
  t.equal((await put('levels', level.id, { description: 'C' }, { 'if-match': `W/${now}` })).status, 412, 'weak');
  t.equal((await put('levels', level.id, { description: 'C' }, { 'if-match': `"x", ${now}` })).status, 200);
  t.equal((await put('levels', level.id, { description: 'D' }, { 'if-match': '*' })).status, 200);
  t.equal((await put('levels', createId(), { description: 'D' }, { 'if-match': '*' })).status, 404);
  const last = String((await call('GET', path, { as: admin })).headers.etag);
  t.equal((await call('DELETE', path, { as: admin, headers: { 'if-match': last } })).status, 200);
});

t.test('of ten concurrent changes of the same version, one succeeds', async (t) => {
  const { level } = await createBranch();
  const etag = String((await call('GET', `/api/admin/education/levels/${level.id}`, { as: admin })).headers.etag);
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      put('levels', level.id, { description: `By ${index}`, isActive: index % 2 === 0 }, { 'if-match': etag }),
    ),
  );
  t.same(responses.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)]);
});

t.test('of ten concurrent creates, renames and moves to the same name, one succeeds', async (t) => {
  const { grade } = await createBranch();
  const others = await Promise.all(Array.from({ length: 3 }, () => createBranch()));
  const siblings = [];
  for (const name of ['One', 'Two', 'Three'])
    siblings.push(await create('subjects', { name, description: 'x', gradeId: grade.id }));
  const responses = await Promise.all([
    ...others.map(({ subject }) => put('subjects', subject.id, { name: 'Prize', gradeId: grade.id })),
    ...siblings.map(({ id }) => put('subjects', id, { name: 'Prize' })),
    ...Array.from({ length: 4 }, () =>
      call('POST', '/api/admin/education/subjects', {
        as: admin,
        body: { name: 'Prize', description: 'x', gradeId: grade.id },
      }),
    ),
  ]);
  t.equal(responses.filter(({ status }) => status < 300).length, 1);
  t.equal(responses.filter(({ status }) => status === 409).length, 9);
});

t.test('a new mentorId clears the e-mail of the former mentor', async (t) => {
  const { subject } = await createBranch({ subject: { mentorId: 'idp_a', mentorEmail: 'a@lms.test' } });
  t.match((await put('subjects', subject.id, { mentorId: 'idp_b' })).json.data, {
    mentorId: 'idp_b',
    mentorEmail: null,
  });
  t.match((await put('subjects', subject.id, { mentorEmail: 'B@lms.test' })).json.data, {
    mentorId: 'idp_b',
    mentorEmail: 'b@lms.test',
  });
});

t.test('texts of up to a million characters are accepted, longer ones return 422 or 413', async (t) => {
  const { subject } = await createBranch();
  const post = (name: string, content: string) =>
    call('POST', '/api/admin/education/topics', {
      as: admin,
      body: { name, description: 'x', content, subjectId: subject.id },
    });
  const long = await post('Long', 'é'.repeat(1_000_000));
  t.equal(long.status, 201);
  t.equal((await post('Too long', 'x'.repeat(1_000_001))).status, 422);
  t.equal((await post('Far too long', 'x'.repeat(6 * 1024 * 1024 + 1))).status, 413);
  const distinct = Array.from({ length: 140_000 }, (_, index) => `${index.toString(36)}-𝒳${index.toString(36)}`).join(
    ' ',
  );
  t.equal((await post('All different words', distinct.slice(0, 1_000_000).toWellFormed())).status, 201);
  const { json } = await call('GET', `/api/admin/education/topics/${long.json.data.id}`, { as: admin });
  t.equal(json.data.content.length, 1_000_000);
  const deep = ['{"name":'.repeat(40), '1', '}'.repeat(40)].join('');
  const nested = await call('POST', '/api/admin/education/topics', { as: admin, body: JSON.parse(deep) });
  t.match(nested, { status: 400, json: { code: 'VALIDATION_ERROR' } });
});

t.test('a create can be repeated with an Idempotency-Key', async (t) => {
  const post = (body: unknown) =>
    call('POST', '/api/admin/education/levels', { as: admin, body, headers: { 'idempotency-key': 'once-only' } });
  const first = await post({ name: 'Repeatable', description: 'x' });
  const second = await post({ name: 'Repeatable', description: 'x' });
  t.same([first.status, second.status], [201, 201]);
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.same(second.json, first.json);
  t.equal((await post({ name: 'Other', description: 'x' })).status, 422);
});
