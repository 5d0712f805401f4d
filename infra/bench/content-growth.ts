// Measures reads of content at 10,000 and at BENCH_TOPICS (1,000,000) topics. See README.md.
import { testPassportKey, testServiceSecret } from '@lms/testing/principals';
import { buildApp } from 'content/app';
import { createEntitlement } from 'content/entitlement';
import { pino } from 'pino';
import type { Sql } from 'postgres';
import { fillWithoutIndexes } from './harness/databases.ts';
import { adminHeaders, compareSizes, type Read } from './harness/growth.ts';
import { setting } from './harness/run-bench.ts';

const topicsPerSubject = 20;
const subjectsPerGrade = 10;
const gradesPerLevel = 5;

/** Two thousand generated words; each has the same frequency at every size. */
const vocabulary = Array.from({ length: 2_000 }, (_, index) => {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'ro', 'su', 'ta', 've', 'zi'];
  const at = (place: number) => syllables[Math.floor((index + 500) / 13 ** place) % 13] ?? '';
  return `${at(2)}${at(1)}${at(0)}${index % 7 === 0 ? 'n' : ''}`;
});

/** Fills an empty content database with this many topics, evenly distributed over subjects, grades and levels. */
async function seedSchool(sql: Sql, topics: number) {
  const subjects = topics / topicsPerSubject;
  const grades = subjects / subjectsPerGrade;
  const levels = grades / gradesPerLevel;
  await fillWithoutIndexes(sql, ['nodes'], async () => {
    await sql`create table words as select place, word from unnest(${vocabulary}::text[]) with ordinality as w(word, place)`;
    await sql`create unique index on words (place)`;
    await sql.unsafe(insertNodes('level', levels, 1, levels));
    await sql.unsafe(insertNodes('grade', grades, gradesPerLevel, levels));
    await sql.unsafe(insertNodes('subject', subjects, subjectsPerGrade, grades));
    // Long transactions would delay the outbox relays of other databases in the same cluster.
    const batch = 10_000;
    for (let from = 0; from < topics; from += batch)
      await sql.unsafe(insertNodes('topic', Math.min(batch, topics - from), topicsPerSubject, subjects, from));
  });
  await sql`vacuum analyze name_words`;
}

const kindOfParent = { level: '', grade: 'l', subject: 'g', topic: 's' };

function insertNodes(
  kind: keyof typeof kindOfParent,
  count: number,
  perParent: number,
  above: number,
  from = 0,
): string {
  const idOf = (prefix: string, number: string) => `'${prefix}' || lpad((${number})::text, 23, '0')`;
  const parent = kind === 'level' ? 'null' : idOf(kindOfParent[kind], `(n / ${perParent}) % ${above}`);
  // Squared, so that the first words are frequent and the last ones rare.
  const word = (salt: number) =>
    `(select word from words where place = 1 + floor(2000 * (((n::bigint * 7919 + ${salt} * 104729) % 99991) / 99991.0) ^ 2)::int)`;
  const words = (many: number, salt: number) =>
    Array.from({ length: many }, (_, index) => word(salt + index)).join(` || ' ' || `);
  return `
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, level, content)
    select ${idOf(kind.charAt(0), 'n')}, '${kind}', ${parent}, ${words(2, 1)} || ' ' || n, ${words(6, 3)}, n % ${perParent},
      true, true, ${kind === 'grade' ? "'primary'" : 'null'}, ${kind === 'topic' ? words(25, 9) : 'null'}
    from generate_series(${from}, ${from + count - 1}) as n`;
}

await compareSizes({
  service: 'content',
  size: setting('BENCH_TOPICS', 1_000_000),
  times: 1_000,
  seed: seedSchool,
  build: (database, unreachable) =>
    buildApp({
      logger: pino({ level: 'silent' }),
      database,
      passportKey: testPassportKey,
      serviceSecret: testServiceSecret,
      entitlement: createEntitlement(unreachable),
      identity: unreachable,
      media: unreachable,
      mediaDownloads: unreachable,
      notifyRelay: () => undefined,
      contentIsPublic: false,
      publicUrl: 'http://localhost',
    }),
  reads: readsOf,
});

function readsOf(topics: number): Read[] {
  const some = (kind: string, total: number) =>
    Array.from(
      { length: 480 },
      (_, index) => `${kind}${String((index * 7_919) % Math.max(total, 1)).padStart(23, '0')}`,
    );
  const words = (first: number) => Array.from({ length: 240 }, (_, index) => vocabulary[first + index] ?? '');
  const misspelt = words(300).map((word) => `${word.slice(0, 2)}${word.slice(3)}x`);
  const searches = (queries: string[]) => queries.map((q) => `/api/education/search?q=${encodeURIComponent(q)}`);
  /** Requests the paths one after the other. */
  const read = (name: string, maxRatio: number, paths: string[], headers = {}): Read => ({
    ...{ name, maxRatio },
    request: (turn) => ({ path: paths[turn % paths.length] ?? '', headers }),
  });
  const below = (kind: string, total: number, folder: string, list = '') =>
    some(kind, total).map((id) => `/api/education/${folder}/${id}${list}`);
  const topicsOfSubjects = below('s', topics / 20, 'subjects', '/topics');
  const oneTopic = below('t', topics, 'topics');
  const adminList = '/api/admin/education/topics?limit=10';
  return [
    read('levels', 1.3, ['/api/education/levels']),
    read('grades of a level', 1.3, below('l', topics / 1_000, 'levels', '/grades')),
    read('subjects of a grade', 1.3, below('g', topics / 200, 'grades', '/subjects')),
    read('topics of a subject', 1.3, topicsOfSubjects),
    read('one topic', 1.3, oneTopic),
    read('topics of a subject, signed in', 1.3, topicsOfSubjects, adminHeaders),
    read('one topic, signed in', 1.3, oneTopic, adminHeaders),
    read('search, a rare name', 3, searches(some('', topics).map((id) => String(Number(id))))),
    read('search, two words', 3, searches(words(20).map((word, index) => `${word} ${words(900)[index]}`))),
    read('search, a common word', 3, searches(words(0))),
    read('search, a misspelt word', 3, searches(misspelt)),
    read('admin list, page 1', 3, [adminList], adminHeaders),
    read('admin list, page 1,000', 3, [`${adminList}&page=1000`], adminHeaders),
  ];
}
