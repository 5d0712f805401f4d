import { testPrincipal } from '@lms/testing/principals';
import { sql as drizzleSql, type SQL } from 'drizzle-orm';
import t from 'tap';
import { type SearchQuery, searchIndex } from '../src/search/repository.ts';
import { admin, startContent } from './content-service.ts';

const content = await startContent(t);
const { call, create, enrollment } = content;

const level = await create('levels', { name: 'Secondary school', description: 'Years seven to twelve' });
const grade = await create('grades', { name: 'Grade seven', level: 'secondary', educationLevelId: level.id });
const mentor = testPrincipal(['MENTOR', 'LEARNER']);
const algebra = await create('subjects', {
  name: 'Algebra',
  description: 'Numbers and letters',
  gradeId: grade.id,
  mentorId: mentor.identityProviderId,
});
const french = await create('subjects', { name: 'Français', description: "L'école et la vie", gradeId: grade.id });
const fractions = await create('topics', {
  name: 'Fractions',
  description: 'Parts of algebra',
  content: 'A numerator stands over a denominator',
  subjectId: algebra.id,
});
const verbs = await create('topics', {
  name: 'Verbs',
  description: 'What one does',
  content: 'Conjugation of the passive voice',
  subjectId: french.id,
});

const search = (q: string, as: typeof admin | null = null, more = '') =>
  call('GET', `/api/education/search?q=${encodeURIComponent(q)}${more}`, { as });
const idsOf = async (q: string, as: typeof admin | null = null) =>
  (await search(q, as)).json.data.map(({ id }: { id: string }) => id);

t.test('a match contains its type and its ancestors', async (t) => {
  const { json } = await search('fractions');
  t.same(json.data, [
    {
      type: 'topic',
      id: fractions.id,
      name: 'Fractions',
      description: 'Parts of algebra',
      path: [
        { type: 'level', id: level.id, name: 'Secondary school' },
        { type: 'grade', id: grade.id, name: 'Grade seven' },
        { type: 'subject', id: algebra.id, name: 'Algebra' },
      ],
    },
  ]);
  t.match((await search('secondary')).json, {
    data: [{ type: 'level', path: [] }],
    pagination: { total: 1, pages: 1 },
  });
});

t.test('exact names come first, then names, then descriptions', async (t) => {
  t.same(await idsOf('algebra'), [algebra.id, fractions.id]);
  const basics = await create('subjects', {
    name: 'Basics of algebra, algebra for all',
    description: 'x',
    gradeId: grade.id,
  });
  t.same(await idsOf('algebra'), [algebra.id, basics.id, fractions.id]);
  await call('DELETE', `/api/admin/education/subjects/${basics.id}`, { as: admin });
  t.same(await idsOf('algebra'), [algebra.id, fractions.id], 'deleted items are not found');
});

t.test('words match as prefixes, ignoring case and accents', async (t) => {
  t.same(await idsOf('ALG'), [algebra.id, fractions.id]);
  t.same(await idsOf('francais'), [french.id]);
  t.same(await idsOf('ecole'), [french.id]);
  t.same(await idsOf('grad sev'), [grade.id]);
  t.same(await idsOf('grade nothing'), [], 'all words must be found');
});

t.test('a misspelled word finds similar words', async (t) => {
  t.same(await idsOf('algerba'), [algebra.id, fractions.id]);
  t.same(await idsOf('fracions'), [fractions.id]);
  t.same(await idsOf('verbz'), [verbs.id]);
});

t.test('words of names that are inactive, deleted or changed have no effect', async (t) => {
  const hide = (path: string) => call('PUT', path, { as: admin, body: { isActive: false } });
  const topic = { description: 'x', content: 'x', subjectId: french.id };
  const typo = await create('topics', { ...topic, name: 'Algerba' });
  t.same(await idsOf('algerba'), [typo.id]);
  const path = `/api/admin/education/topics/${typo.id}`;
  await hide(path);
  t.same(await idsOf('algerba'), [algebra.id, fractions.id]);
  await call('PUT', path, { as: admin, body: { name: 'Grad', isActive: true } });
  t.same(await idsOf('algerba'), [algebra.id, fractions.id]);
  t.same(await idsOf('grad sev'), [], 'a whole word of a name is not a prefix');
  await hide(path);
  t.same(await idsOf('grad sev'), [grade.id]);
  await call('DELETE', path, { as: admin });
  t.same(await idsOf('grad sev'), [grade.id]);
  const misspell = (last: string) => `fraction${last}`;
  for (const last of ['a', 'e', 'i', 'o', 'u', 'n']) {
    const { id } = await create('topics', { ...topic, name: misspell(last) });
    await call('DELETE', `/api/admin/education/topics/${id}`, { as: admin });
  }
  t.same(await idsOf(misspell('x')), [fractions.id]);
});

t.test('similar words are searched only if nothing contains the words themselves', async (t) => {
  const letter = await create('topics', {
    name: 'Letters',
    description: 'About vers',
    content: 'x',
    subjectId: french.id,
  });
  t.same(await idsOf('vers'), [letter.id]);
  await call('DELETE', `/api/admin/education/topics/${letter.id}`, { as: admin });
  t.same(await idsOf('vers'), [verbs.id]);
});

t.test('codes and words of another length are not taken for misspelled words', async (t) => {
  const coded = await create('topics', {
    name: 'Exercise 3x9w2v5',
    description: 'x',
    content: 'lesson3x9w2v5 shortens',
    subjectId: french.id,
  });
  t.same(await idsOf('lesson3x9w2v5'), []);
  t.same(await idsOf('exercise1sheets'), []);
  t.same(await idsOf('lesson3x9w2v5', admin), [coded.id]);
  await call('DELETE', `/api/admin/education/topics/${coded.id}`, { as: admin });
});

t.test('topic texts are searched only for callers who may read them', async (t) => {
  enrollment.respondWith('/internal/subjects', [french.id]);
  const learner = testPrincipal();
  t.same(await idsOf('denominator'), []);
  t.same(await idsOf('denominator', learner), [], 'enrolled in something else');
  t.same(await idsOf('conjugation', learner), [verbs.id]);
  t.same(await idsOf('denominator', mentor), [fractions.id]);
  t.same(await idsOf('denominator', admin), [fractions.id]);
  t.same(await idsOf('denominator', testPrincipal(['MENTOR'])), []);

  enrollment.failWith('/internal/subjects', 503);
  t.same(await idsOf('conjugation', learner), [], 'without the enrollment service');
  t.same(await idsOf('verbs', learner), [verbs.id], 'names are found without it');
  const open = await startContent(t, { contentIsPublic: true, sharedWith: content });
  const { json } = await open.call('GET', '/api/education/search?q=denominator');
  t.equal(json.data[0].id, fractions.id);
});

t.test('inactive items and everything below them are not found', async (t) => {
  await call('PUT', `/api/admin/education/grades/${grade.id}`, { as: admin, body: { isActive: false } });
  t.same(await idsOf('algebra'), []);
  t.same(await idsOf('denominator', admin), []);
  await call('PUT', `/api/admin/education/grades/${grade.id}`, { as: admin, body: { isActive: true } });
  t.same(await idsOf('algebra'), [algebra.id, fractions.id]);
});

t.test('pages of matches do not overlap', async (t) => {
  const first = await search('algebra', null, '&limit=1');
  const second = await search('algebra', null, '&limit=1&page=2');
  t.same([first.json.data[0].id, second.json.data[0].id], [algebra.id, fractions.id]);
  t.match(first.json.pagination, { total: 2, pages: 2, hasNext: true });
  t.match((await search('algebra', null, '&page=7')).json, { data: [], pagination: { total: 2, page: 7 } });
});

t.test('matches can be filtered by text and dates, and sorted', async (t) => {
  const found = async (query: string) =>
    (await call('GET', `/api/education/search?q=algebra&${query}`)).json.data.map(({ id }: { id: string }) => id);
  t.same(await found('search=PARTS'), [fractions.id]);
  t.same(await found('search=a_g'), []);
  t.same(await found('order=desc'), [fractions.id, algebra.id]);
  t.same(await found('sort=name&order=desc'), [fractions.id, algebra.id]);
  t.same(await found('sort=name'), [algebra.id, fractions.id]);
  t.same(await found('sort=createdAt&order=desc'), [fractions.id, algebra.id]);
  t.same(await found(`createdFrom=${fractions.createdAt}`), [fractions.id]);
  t.same(await found(`createdTo=${algebra.createdAt}`), [algebra.id]);
  const second = await search('algebra', null, '&sort=name&order=desc&limit=1&page=2');
  t.match(second.json, { data: [{ id: algebra.id }], pagination: { total: 2 } });
});

t.test('a match in a name comes before any number of matches in descriptions', async (t) => {
  const { sql } = content.database;
  await sql`insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, content)
    select 'b' || substr(md5(n::text), 1, 23), 'topic', ${algebra.id}, 'Lesson ' || n, 'About osmosis', n, true, true, 'x'
    from generate_series(1, 400) as n`;
  const named = await create('topics', {
    name: 'Simple osmosis',
    description: 'x',
    content: 'x',
    subjectId: algebra.id,
  });
  const { json } = await search('osmosis');
  t.equal(json.data[0].id, named.id);
  t.ok(json.pagination.total > 100);
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The rows of nodes that a plan has read. */
function rowsRead({ Plans = [], ...plan }: Plan): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const below = Plans.reduce((sum, inner) => sum + rowsRead(inner), 0);
  return plan['Relation Name'] === 'nodes' ? own * plan['Actual Loops'] + below : below;
}

t.test('a filter that passes nothing does not read all matches', async (t) => {
  const { db, sql } = content.database;
  await sql`insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, content)
    select 'c' || substr(md5(n::text), 1, 23), 'topic', ${algebra.id}, 'Mitosis ' || n, 'About mitosis', n, true, true, 'mitosis'
    from generate_series(1, 2000) as n`;
  await sql`analyze nodes`;
  const input = { text: 'mitosis', tsquery: "'mitosis':*", scope: 'all' as const };
  const page = { page: 1, limit: 20, sort: 'relevance', order: 'asc' } as const;
  const filters: Partial<SearchQuery>[] = [
    { search: 'zq' },
    { createdFrom: '2999-01-01' },
    { updatedTo: '1999-01-01' },
  ];
  for (const filter of filters) {
    const query = { ...page, ...filter };
    const explained = new Proxy(db, {
      get: (target, key) =>
        key === 'execute'
          ? (statement: SQL) => db.execute(drizzleSql`explain (analyze, format json) ${statement}`)
          : Reflect.get(target, key),
    });
    const [row] = await searchIndex(explained, 100).find(input, query);
    const [{ Plan: plan }] = Object(row)['QUERY PLAN'];
    t.ok(rowsRead(plan) < 2000, JSON.stringify(filter));
    t.match(await searchIndex(db, 100).find(input, query), [{ total: 0 }]);
  }
  const last = { ...page, search: 'Mitosis 2000' };
  t.match(await searchIndex(db).find(input, last), [{ total: 1, name: 'Mitosis 2000' }]);
  await sql`delete from nodes where description = 'About mitosis'`;
});

t.test('a search text that is missing, empty, too long or invalid returns 422', async (t) => {
  for (const query of [
    '',
    '?q=',
    '?q=%20',
    `?q=${'x'.repeat(101)}`,
    '?q=a%00b',
    '?q=x&limit=0',
    '?q=x&page=0',
    '?q=x&limit=101',
  ])
    t.equal((await call('GET', `/api/education/search${query}`)).status, 422, query);
  t.equal((await search('x'.repeat(100))).status, 200);
});

t.test('no search text causes a server error', async (t) => {
  const signs = [
    "'",
    '"',
    '\\',
    ':*',
    '&',
    '|',
    '!',
    '(',
    ')',
    '<->',
    '%',
    '_',
    '@',
    '-',
    '/',
    '.',
    ':',
    'é',
    '語',
    '😀',
    'a',
    '1.5',
    ' ',
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 300; round += 1) {
    const q = Array.from({ length: 1 + next(12) }, () => signs[next(signs.length)]).join('');
    const { status } = await search(q, admin);
    t.equal(status, q.trim() === '' ? 422 : 200, q);
  }
  for (const q of [
    'http://user@host.example/a/b?c=d',
    "o'neil \\'",
    'a'.repeat(100),
    '<b>bold</b>',
    "'; drop table nodes; --",
  ])
    t.equal((await search(q)).status, 200, q);
});
