import { testPrincipal } from '@lms/testing/principals';
import { drizzle } from 'drizzle-orm/postgres-js';
import t from 'tap';
import { admin, startContent } from './content-service.ts';

const content = await startContent(t);
const { call, create, createBranch, enroll } = content;
const namesOf = ({ json }: { json: { data: { name: string }[] } }) => json.data.map(({ name }) => name);

const level = await create('levels', { name: 'Primary', description: 'First years' });
const grade = await create('grades', { name: 'One', level: 'primary', educationLevelId: level.id });
const list = `/api/education/grades/${grade.id}/subjects`;
for (const [name, position, description] of [
  ['Biology', 2, 'Living things'],
  ['Art', 2, '100% colour'],
  ['Chemistry', 1, 'snake_case and back\\slash'],
  ['Drama', 3, 'Speaking aloud'],
] as const)
  await create('subjects', { name, position, description, gradeId: grade.id });

t.test('lists are ordered by position, then name, unless `sort` is given', async (t) => {
  t.same(namesOf(await call('GET', list)), ['Chemistry', 'Art', 'Biology', 'Drama']);
  t.same(namesOf(await call('GET', `${list}?sort=name`)), ['Art', 'Biology', 'Chemistry', 'Drama']);
  t.same(namesOf(await call('GET', `${list}?sort=name&order=desc`)), ['Drama', 'Chemistry', 'Biology', 'Art']);
  t.same(namesOf(await call('GET', `${list}?sort=createdAt`)), ['Biology', 'Art', 'Chemistry', 'Drama']);
  t.same(namesOf(await call('GET', `${list}?sort=updatedAt&order=desc`)), ['Drama', 'Chemistry', 'Art', 'Biology']);
});

t.test('search matches parts of names and descriptions, literally and ignoring case', async (t) => {
  t.same(namesOf(await call('GET', `${list}?search=CHEM`)), ['Chemistry']);
  t.same(namesOf(await call('GET', `${list}?search=living`)), ['Biology']);
  t.same(namesOf(await call('GET', `${list}?search=%25`)), ['Art']);
  t.same(namesOf(await call('GET', `${list}?search=_`)), ['Chemistry']);
  t.same(namesOf(await call('GET', `${list}?search=%5C`)), ['Chemistry']);
  t.same(namesOf(await call('GET', `${list}?search=nothing`)), []);
});

t.test('pages do not overlap, link to the next and previous page, and are empty after the end', async (t) => {
  const first = await call('GET', `${list}?limit=3`);
  t.match(first.json.pagination, { page: 1, limit: 3, total: 4, pages: 2, hasNext: true, hasPrev: false });
  t.match(first.headers.link, /rel="first".*page=2.*rel="next".*rel="last"/);
  const second = await call('GET', `${list}?limit=3&page=2`);
  t.same([...namesOf(first), ...namesOf(second)], ['Chemistry', 'Art', 'Biology', 'Drama']);
  const beyond = await call('GET', `${list}?limit=3&page=9`);
  t.match(beyond, {
    status: 200,
    json: { data: [], pagination: { page: 9, total: 4, hasNext: false, hasPrev: true } },
  });
});

t.test('out-of-range list parameters return 422', async (t) => {
  for (const query of [
    'page=0',
    'page=x',
    'page=1.5',
    'limit=0',
    'limit=101',
    'sort=mentorId',
    'order=up',
    'search=',
    `search=${'x'.repeat(101)}`,
    'search=%00',
    'createdFrom=yesterday',
    'updatedTo=2026-13-01T00:00:00Z',
  ])
    t.match(await call('GET', `${list}?${query}`), { status: 422, json: { code: 'VALIDATION_ERROR' } }, query);
  t.equal((await call('GET', '/api/admin/education/levels?isActive=maybe', { as: admin })).status, 422);
  for (const field of ['educationLevelId', 'gradeId', 'subjectId'])
    t.match(
      await call('GET', `/api/admin/education/topics?${field}=`, { as: admin }),
      { status: 422, json: { details: { field } } },
      `an empty ${field}`,
    );
});

t.test('every list accepts search, date filters and its sort fields, and returns 422 for invalid values', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const { level, grade, subject } = await createBranch({
    subject: { mentorId: mentor.identityProviderId, name: 'Café 100%', description: 'snake_case' },
    topic: { name: 'Café 100%', description: 'snake_case' },
  });
  await create('levels', { name: 'Café 100%', description: 'snake_case' });
  const above = { level: 'primary', educationLevelId: level.id };
  await create('grades', { name: 'Café 100%', description: 'snake_case', ...above });
  const sorts = ['position', 'name', 'createdAt', 'updatedAt'];
  const paths = [
    '/api/education/levels',
    `/api/education/levels/${level.id}/grades`,
    `/api/education/grades/${grade.id}/subjects`,
    `/api/education/subjects/${subject.id}/topics`,
    '/api/admin/education/levels',
    '/api/admin/education/grades',
    '/api/admin/education/subjects',
    '/api/admin/education/topics',
    '/api/mentor/subjects',
    '/api/education/search?q=café',
  ];
  for (const path of paths) {
    const as = path.includes('mentor') ? mentor : path.includes('admin') ? admin : null;
    const find = (query: Record<string, string>) =>
      call('GET', `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`, { as });
    const count = async (query: Record<string, string>) => {
      const { status, json } = await find(query);
      t.equal(status, 200, `${path} ${JSON.stringify(query)}`);
      t.equal(json.pagination.total, json.data.length);
      return json.data.length;
    };
    for (const search of ['cAFÉ', 'fé 100%', 'SNAKE_'])
      t.ok((await count({ search })) > 0 && (await count({ search: `${search}!` })) === 0, `${path} ${search}`);
    for (const search of ['snake%', '\\\\', 'x'.repeat(100)]) t.equal(await count({ search }), 0, `${path} ${search}`);
    const all = await count({ limit: '100' });
    for (const [from, to] of [
      ['createdFrom', 'createdTo'],
      ['updatedFrom', 'updatedTo'],
    ] as const) {
      t.equal(await count({ limit: '100', [from]: '2000-01-01', [to]: '2999-12-31' }), all, path);
      t.equal(await count({ [from]: '2999-01-01' }), 0, `${path} ${from}`);
      t.equal(await count({ [to]: '2000-01-01' }), 0, `${path} ${to}`);
    }
    for (const sort of sorts)
      for (const order of ['asc', 'desc']) t.equal((await find({ sort, order })).status, 200, `${path} ${sort}`);
    for (const [field, value] of [
      ['search', ''],
      ['search', 'x'.repeat(101)],
      ['sort', 'id'],
      ['order', 'up'],
      ['createdFrom', 'never'],
      ['createdTo', '2026-02-30'],
      ['updatedFrom', '1'],
      ['updatedTo', '2026-13-01T00:00:00Z'],
    ] as const)
      t.match(await find({ [field]: value }), { status: 422, json: { details: { field } } }, `${path} ${field}`);
  }
});

t.test('date filters include both ends of the range', async (t) => {
  const { json } = await call('GET', `${list}?sort=createdAt`);
  const [, second, third] = json.data;
  const range = `createdFrom=${second.createdAt}&createdTo=${third.createdAt}&sort=createdAt`;
  const names = namesOf(await call('GET', `${list}?${range}`));
  t.ok(names.includes('Art') && names.includes('Chemistry') && names.length < 4);
  t.same(namesOf(await call('GET', `${list}?updatedFrom=2999-01-01T00:00:00.000Z`)), []);
});

t.test('a read has a strong ETag, and If-None-Match returns 304', async (t) => {
  for (const path of [
    list,
    `/api/education/grades/${grade.id}`,
    '/api/education/tree',
    '/api/education/search?q=art',
  ]) {
    const { headers } = await call('GET', path);
    t.match(headers.etag, /^"/, path);
    t.match(await call('GET', path, { headers: { 'if-none-match': String(headers.etag) } }), {
      status: 304,
      json: null,
    });
  }
});

t.test('administrators can list every kind, filtered by ancestor and state', async (t) => {
  const one = await createBranch();
  const two = await createBranch({ topic: { isActive: false } });
  const listIds = async (type: string, query: string) => {
    const { status, json } = await call('GET', `/api/admin/education/${type}?limit=100&${query}`, { as: admin });
    t.equal(status, 200, `${type}?${query}`);
    t.equal(json.pagination.total, json.data.length);
    return json.data.map(({ id }: { id: string }) => id);
  };
  t.same(await listIds('topics', `subjectId=${one.subject.id}`), [one.topic.id]);
  t.same(await listIds('topics', `gradeId=${one.grade.id}`), [one.topic.id]);
  t.same(await listIds('topics', `educationLevelId=${one.level.id}`), [one.topic.id]);
  t.same(await listIds('subjects', `educationLevelId=${one.level.id}`), [one.subject.id]);
  t.same(await listIds('grades', `educationLevelId=${one.level.id}&level=primary`), [one.grade.id]);
  t.same(await listIds('topics', `subjectId=${one.subject.id}&gradeId=${two.grade.id}`), [], 'all filters apply');
  t.same(await listIds('topics', 'subjectId=unknown'), []);
  t.same(await listIds('topics', `isActive=false`), [two.topic.id]);
  t.same(await listIds('topics', `search=sums&subjectId=${two.subject.id}`), [two.topic.id]);

  await call('DELETE', `/api/admin/education/subjects/${one.subject.id}`, { as: admin });
  t.same(await listIds('topics', `gradeId=${one.grade.id}`), []);
  t.same(await listIds('topics', `gradeId=${one.grade.id}&includeDeleted=true`), [one.topic.id]);
  const all = await listIds('topics', '');
  t.notOk(all.includes(one.topic.id));
  t.equal((await listIds('topics', 'includeDeleted=true')).length, all.length + 1);
  t.equal((await call('GET', '/api/admin/education/topics')).status, 401);
  t.equal((await call('GET', '/api/admin/education/topics', { as: testPrincipal(['MENTOR']) })).status, 403);
});

t.test('the tree contains the whole live outline with counts', async (t) => {
  const { level, grade, subject } = await createBranch();
  await create('topics', { name: 'Inactive', description: 'x', content: 'x', subjectId: subject.id, isActive: false });
  await create('subjects', { name: 'Hidden', description: 'x', gradeId: grade.id, isActive: false });
  const { json } = await call('GET', '/api/education/tree');
  t.same(
    json.data.find(({ id }: { id: string }) => id === level.id),
    {
      id: level.id,
      name: level.name,
      gradeCount: 1,
      grades: [
        {
          id: grade.id,
          name: 'Grade',
          level: 'primary',
          subjectCount: 1,
          subjects: [{ id: subject.id, name: 'Algebra', topicCount: 1 }],
        },
      ],
    },
  );
});

t.test('`include` adds the outline of the children, in order', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const { level, grade, subject, topic } = await createBranch({ subject: { mentorEmail: mentor.email } });
  const add = (name: string, given: Record<string, unknown> = {}) =>
    create('topics', { name, description: 'x', content: 'Secret', subjectId: subject.id, ...given });
  const last = await add('Last', { position: 7 });
  const first = await add('Products', { position: 0 });
  await add('Inactive', { isActive: false });
  const deleted = await add('Deleted');
  await call('DELETE', `/api/admin/education/topics/${deleted.id}`, { as: admin });
  const read = async (path: string, as: typeof mentor | null = null) => {
    const { status, json } = await call('GET', `/api/education/${path}`, { as });
    t.equal(status, 200, path);
    return json.data;
  };

  t.same((await read(`levels/${level.id}?include=grades`)).grades, await read(`levels/${level.id}/grades`));
  t.same((await read(`grades/${grade.id}?include=subjects`)).subjects, await read(`grades/${grade.id}/subjects`));
  const { subjects } = await read(`grades/${grade.id}?include=subjects`, mentor);
  t.equal(subjects[0].mentorEmail, mentor.email, 'the mentor sees their own e-mail here too');

  const { topics, ...plain } = await read(`subjects/${subject.id}?include=topics`);
  t.same(plain, await read(`subjects/${subject.id}`), 'the other fields do not change');
  t.same(
    topics.map(({ id }: { id: string }) => id),
    [first.id, topic.id, last.id],
  );
  const {
    content: _content,
    video: _video,
    videoUrl: _videoUrl,
    documents: _documents,
    ...outline
  } = await read(`topics/${topic.id}`);
  t.same(topics[1], outline);
  enroll(subject.id);
  const [seen] = (await read(`subjects/${subject.id}?include=topics`, testPrincipal())).topics;
  t.match(seen, { access: { granted: true, reason: null }, hasVideo: false, documentCount: 0 });
  t.notMatch(JSON.stringify(seen), /Secret/, 'a relation list contains no texts, even with access');
});

t.test('an unknown relation returns 422, and a relation list has at most 100 items', async (t) => {
  const { level, grade, subject, topic } = await createBranch();
  for (const path of [
    `levels/${level.id}?include=subjects`,
    `levels/${level.id}?include=grades,subjects`,
    `levels/${level.id}?include=grades&include=grades`,
    `grades/${grade.id}?include=grades`,
    `subjects/${subject.id}?include=documents`,
    `subjects/${subject.id}?include=`,
    `topics/${topic.id}?include=topics`,
  ])
    t.match(
      await call('GET', `/api/education/${path}`),
      { status: 422, json: { code: 'VALIDATION_ERROR', error: 'Validation failed', details: { field: 'include' } } },
      path,
    );
  await content.database
    .sql`insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, content)
    select 'related' || n, 'topic', ${subject.id}, 'Related ' || n, '', n, true, true, 'x' from generate_series(1, 120) n`;
  const { json } = await call('GET', `/api/education/subjects/${subject.id}?include=topics`);
  t.equal(json.data.topics.length, 100);
});

t.test('a mentor can list the subjects assigned to them', async (t) => {
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const mine = await createBranch({ subject: { mentorId: mentor.identityProviderId, mentorEmail: mentor.email } });
  const byEmail = await createBranch({ subject: { mentorEmail: mentor.email } });
  await createBranch({ subject: { mentorId: 'idp_other', mentorEmail: mentor.email } });
  const deleted = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
  await call('DELETE', `/api/admin/education/subjects/${deleted.subject.id}`, { as: admin });
  const { status, json } = await call('GET', '/api/mentor/subjects?sort=createdAt', { as: mentor });
  t.equal(status, 200);
  t.same(
    json.data.map(({ id }: { id: string }) => id),
    [mine.subject.id, byEmail.subject.id],
  );
  t.match(json, { data: [{ mentorEmail: mentor.email }], pagination: { total: 2 } });
  t.equal((await call('GET', '/api/mentor/subjects', { as: testPrincipal() })).status, 403);
  t.equal((await call('GET', '/api/mentor/subjects')).status, 401);
});

t.test('no list runs more than two SQL statements, whatever the number of items', async (t) => {
  let statements = 0;
  const counted = drizzle(content.database.sql, {
    casing: 'snake_case',
    logger: {
      logQuery(query) {
        // The jobs that imports and exports begin with run at the same time.
        if (!/"(imports|exports)"/.test(query)) statements += 1;
      },
    },
  });
  const mentor = testPrincipal(['MENTOR', 'LEARNER']);
  const { level, grade, subject } = await createBranch({ subject: { mentorId: mentor.identityProviderId } });
  for (const name of ['A', 'B', 'C', 'D'])
    await create('topics', { name, description: 'x', content: 'words', subjectId: subject.id });
  const learner = testPrincipal();
  enroll(subject.id);
  content.enrollment.respondWith('/internal/subjects', [subject.id]);
  const measured = await startContent(t, { db: counted, sharedWith: content });
  for (const [path, as] of [
    ['/api/education/levels', null],
    [`/api/education/levels/${level.id}/grades`, null],
    [`/api/education/grades/${grade.id}/subjects`, mentor],
    [`/api/education/subjects/${subject.id}/topics`, null],
    [`/api/education/subjects/${subject.id}/topics`, learner],
    [`/api/education/subjects/${subject.id}/topics`, mentor],
    ['/api/education/tree', null],
    ['/api/education/search?q=words', null],
    ['/api/education/search?q=wrods', learner],
    ['/api/education/search?q=words', mentor],
    ['/api/admin/education/topics', admin],
    [`/api/admin/education/topics?educationLevelId=${level.id}&search=a&isActive=true`, admin],
    ['/api/mentor/subjects', mentor],
  ] as const) {
    statements = 0;
    const { status, json } = await measured.call('GET', path, { as });
    t.equal(status, 200, path);
    t.ok(json.data.length > 0 || path.includes('q='), 'the list is not empty');
    t.ok(statements >= 1 && statements <= 2, `${statements} statements: ${path}`);
  }
});

t.test('the topic texts of a page end at 1 MiB; what a list omits says so', async (t) => {
  const { subject } = await createBranch({ topic: { position: 5 } });
  const text = 'x'.repeat(1_000_000);
  for (const [position, size] of [40_000, 9_000_000, 10].entries())
    await create('topics', {
      ...{ name: `Topic ${position}`, description: 'Long', subjectId: subject.id, position },
      content: text.slice(0, size),
    });
  for (const path of [
    `/api/education/subjects/${subject.id}/topics`,
    `/api/admin/education/topics?subjectId=${subject.id}`,
  ]) {
    const { json } = await call('GET', path, { as: admin });
    t.match(json.data, [
      { name: 'Topic 0', content: text.slice(0, 40_000), contentOmitted: undefined },
      { name: 'Topic 1', content: text, contentOmitted: undefined },
      { name: 'Topic 2', content: 'x'.repeat(10), contentOmitted: undefined },
      { name: 'Sums', content: 'One and one is two', contentOmitted: undefined },
    ]);
  }

  for (let position = 10; position < 40; position += 1)
    await create('topics', {
      name: `Topic ${position}`,
      description: 'Long',
      subjectId: subject.id,
      position,
      content: text,
    });
  for (const path of [
    `/api/education/subjects/${subject.id}/topics?limit=100`,
    `/api/admin/education/topics?subjectId=${subject.id}&limit=100`,
  ]) {
    const { json } = await call('GET', path, { as: admin });
    t.equal(json.data.length, 34);
    t.ok(JSON.stringify(json).length < 1_200_000);
    t.match(json.data.slice(4), Array(30).fill({ content: null, contentOmitted: true, access: { granted: true } }));
  }
  const last = await call('GET', `/api/education/subjects/${subject.id}/topics?limit=1&page=34`, { as: admin });
  t.match(last.json.data, [{ content: text, contentOmitted: undefined }], 'each page has its own limit');
  const anonymous = await call('GET', `/api/education/subjects/${subject.id}/topics?limit=100`);
  t.match(anonymous.json.data.at(-1), { content: null, contentOmitted: undefined });
});
