import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const { call, create, createBranch } = await startContent(t);

t.test('an administrator creates a level, grade, subject and topic, and everyone can read their outline', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  t.match(level, { isActive: true, deletedAt: null, imageUrl: null, position: 0 });
  t.match(grade, { educationLevelId: level.id, level: 'primary', description: '' });
  t.match(subject, { gradeId: grade.id, mentorId: null, mentorEmail: null });
  t.match(topic, { subjectId: subject.id, content: 'One and one is two', access: { granted: true, reason: null } });

  const { json: levels } = await call('GET', '/api/education/levels');
  t.match(levels, { success: true, data: [{ id: level.id }], pagination: { page: 1, limit: 20, total: 1, pages: 1 } });
  const { json: grades } = await call('GET', `/api/education/levels/${level.id}/grades`);
  t.same(grades.data, [grade]);
  const { json: subjects } = await call('GET', `/api/education/grades/${grade.id}/subjects`);
  t.same(subjects.data, [subject]);
  const { json: topics } = await call('GET', `/api/education/subjects/${subject.id}/topics`);
  t.match(topics.data, [
    {
      id: topic.id,
      content: null,
      videoUrl: null,
      documents: [],
      hasVideo: false,
      documentCount: 0,
      access: { granted: false, reason: 'AUTHENTICATION_REQUIRED' },
    },
  ]);
  for (const [type, item] of Object.entries({ levels: level, grades: grade, subjects: subject, topics: topic })) {
    const { json } = await call('GET', `/api/education/${type}/${item.id}`);
    t.equal(json.data.name, item.name, type);
    const { json: managed } = await call('GET', `/api/admin/education/${type}/${item.id}`, { as: admin });
    t.same(managed.data, item, type);
  }
});

t.test('a duplicate name returns 409 with the name, also for twenty concurrent requests', async (t) => {
  const body = { name: 'Once', description: 'Only one of them' };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/api/admin/education/levels', { as: admin, body })),
  );
  t.same(responses.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
  const conflict = responses.find(({ status }) => status === 409);
  t.match(conflict?.json, {
    success: false,
    code: 'CONFLICT',
    error: 'Resource already exists',
    details: { resource: 'EducationLevel', field: 'name', value: 'Once' },
  });
});

t.test('names are compared exactly and in NFC, and only among siblings', async (t) => {
  const { grade } = await createBranch();
  const add = (name: string, gradeId = grade.id) =>
    call('POST', '/api/admin/education/subjects', { as: admin, body: { name, description: 'x', gradeId } });
  t.equal((await add('Café')).status, 201);
  t.equal((await add('Cafe\u0301')).status, 409);
  t.equal((await add('  Café ')).status, 409);
  t.equal((await add('café')).status, 201);
  const { grade: other } = await createBranch();
  t.equal((await add('Café', other.id)).status, 201);
});

t.test('a parent id that is unknown, malformed or of another kind returns 404', async (t) => {
  const { level, subject } = await createBranch();
  for (const gradeId of [createId(), 'nonsense', '', 'x'.repeat(300), level.id, subject.id]) {
    const body = { name: 'Orphan', description: 'x', gradeId };
    const { status, json } = await call('POST', '/api/admin/education/subjects', { as: admin, body });
    t.equal(status, 404, gradeId);
    t.match(json, { code: 'NOT_FOUND', error: 'Grade not found' });
  }
});

t.test('only administrators can create items', async (t) => {
  const body = { name: 'Mine', description: 'x' };
  t.equal((await call('POST', '/api/admin/education/levels', { body })).status, 401);
  const { status, json } = await call('POST', '/api/admin/education/levels', {
    as: testPrincipal(['MENTOR', 'LEARNER']),
    body,
  });
  t.equal(status, 403);
  t.match(json, { code: 'FORBIDDEN', details: { required: ['ADMIN'], user_roles: ['MENTOR', 'LEARNER'] } });
  const suspended = testPrincipal(['ADMIN'], { status: 'SUSPENDED' });
  t.match((await call('POST', '/api/admin/education/levels', { as: suspended, body })).json, {
    code: 'ACCOUNT_SUSPENDED',
  });
});

t.test('an invalid body returns 422 with the field of the problem', async (t) => {
  const { grade, subject } = await createBranch();
  const cases: [string, Record<string, unknown>, string][] = [
    ['levels', { name: '', description: 'x' }, 'name'],
    ['levels', { name: 'x'.repeat(201), description: 'x' }, 'name'],
    ['levels', { name: 7, description: 'x' }, 'name'],
    ['levels', { name: 'x' }, 'description'],
    ['levels', { name: 'x', description: ' ' }, 'description'],
    ['levels', { name: 'x\u0000', description: 'x' }, 'name'],
    ['levels', { name: 'x', description: 'x', imageUrl: 'javascript:alert(1)' }, 'imageUrl'],
    ['levels', { name: 'x', description: 'x', imageUrl: 'https://me:secret@lms.test/' }, 'imageUrl'],
    ['levels', { name: 'x', description: 'x', position: -1 }, 'position'],
    ['levels', { name: 'x', description: 'x', position: 2_147_483_648 }, 'position'],
    ['levels', { name: 'x', description: 'x', isActive: 'yes' }, 'isActive'],
    ['grades', { name: 'x', level: 'kindergarten', educationLevelId: 'x' }, 'level'],
    ['grades', { name: 'x', level: 'primary' }, 'educationLevelId'],
    ['subjects', { name: 'x', description: 'x', gradeId: grade.id, mentorEmail: 'invalid' }, 'mentorEmail'],
    ['topics', { name: 'x', description: 'x', subjectId: subject.id }, 'content'],
    ['topics', { name: 'x', description: 'x', subjectId: 7, content: 'x' }, 'subjectId'],
  ];
  for (const [type, body, field] of cases) {
    const { status, json } = await call('POST', `/api/admin/education/${type}`, { as: admin, body });
    t.equal(status, 422, `${type} ${JSON.stringify(body).slice(0, 80)}`);
    t.match(json, { code: 'VALIDATION_ERROR', details: { field, issues: [{ field }] } });
  }
});

t.test('read-only and unknown fields are ignored', async (t) => {
  const level = await create('levels', {
    name: 'Assigned',
    description: 'x',
    id: createId(),
    deletedAt: '2026-01-01T00:00:00.000Z',
    version: 9,
    kind: 'topic',
    isLive: false,
  });
  const { json } = await call('GET', `/api/education/levels/${level.id}`);
  t.match(json.data, { id: level.id, deletedAt: null });
});

t.test('inactive items and everything below them return 404', async (t) => {
  const level = await create('levels', { name: 'Hidden', description: 'x', isActive: false });
  const grade = await create('grades', { name: 'Below', level: 'higher', educationLevelId: level.id });
  t.equal(grade.isActive, true);
  for (const path of [
    `levels/${level.id}`,
    `levels/${level.id}/grades`,
    `grades/${grade.id}`,
    `grades/${grade.id}/subjects`,
  ])
    t.equal((await call('GET', `/api/education/${path}`)).status, 404, path);
  const { json } = await call('GET', '/api/education/levels?limit=100');
  t.notOk(json.data.some(({ id }: { id: string }) => id === level.id));
});

t.test('malformed ids and ids of another kind return 404', async (t) => {
  const { level } = await createBranch();
  for (const path of ['levels/x', `topics/${level.id}`, `levels/${createId()}`, `grades/${level.id}/subjects`])
    t.match((await call('GET', `/api/education/${path}`)).json, { success: false, code: 'NOT_FOUND' }, path);
});

t.test('administrators assign and remove a mentor, whose e-mail only they and the mentor can see', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const { subject } = await createBranch();
  const path = `/api/admin/education/subjects/${subject.id}/mentor`;
  const body = { mentorId: mentor.identityProviderId, mentorEmail: 'Mentor@LMS.test' };
  const { status, json } = await call('PUT', path, { as: admin, body });
  t.equal(status, 200);
  t.match(json.data, { mentorId: mentor.identityProviderId, mentorEmail: 'mentor@lms.test' });

  const seenBy = async (as: typeof mentor | null) =>
    (await call('GET', `/api/education/subjects/${subject.id}`, { as })).json.data.mentorEmail;
  t.equal(await seenBy(null), null);
  t.equal(await seenBy(testPrincipal(['MENTOR'])), null);
  t.equal(await seenBy(mentor), 'mentor@lms.test');
  t.equal(await seenBy(admin), 'mentor@lms.test');

  t.match((await call('PUT', path, { as: admin, body: { mentorId: null, mentorEmail: null } })).json.data, {
    mentorId: null,
    mentorEmail: null,
  });
  t.equal((await call('PUT', path, { as: admin, body: {} })).status, 422);
  t.equal((await call('PUT', path, { as: mentor, body })).status, 403);
  const unknown = `/api/admin/education/subjects/${createId()}/mentor`;
  t.equal((await call('PUT', unknown, { as: admin, body })).status, 404);
});

t.test('siblings created concurrently get different positions', async (t) => {
  const { subject } = await createBranch();
  const names = Array.from({ length: 20 }, (_, index) => `Topic ${index}`);
  const topics = await Promise.all(
    names.map((name) => create('topics', { name, description: 'x', content: 'x', subjectId: subject.id })),
  );
  const levels = await Promise.all(names.map((name) => create('levels', { name, description: 'x' })));
  for (const siblings of [topics, levels]) t.equal(new Set(siblings.map(({ position }) => position)).size, 20);
});

t.test('the position after the highest one can be sent back', async (t) => {
  const { grade } = await createBranch();
  const maximum = 1_000_000_000;
  await create('subjects', { name: 'Last', description: 'x', gradeId: grade.id, position: maximum });
  const next = await create('subjects', { name: 'Next', description: 'x', gradeId: grade.id });
  t.equal(next.position, maximum);
  const path = `/api/admin/education/subjects/${next.id}`;
  const { data } = (await call('GET', path, { as: admin })).json;
  t.equal((await call('PUT', path, { as: admin, body: data })).status, 200);
});
