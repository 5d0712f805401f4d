import type { Sql } from 'postgres';
import { fillWithoutIndexes } from '../harness/databases.ts';

const topicsPerSubject = 20;
const subjectsPerGrade = 10;
const gradesPerLevel = 5;

/** Two thousand generated words; each has the same frequency at every size. */
export const vocabulary = Array.from({ length: 2_000 }, (_, index) => {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'ro', 'su', 'ta', 've', 'zi'];
  const at = (place: number) => syllables[Math.floor((index + 500) / 13 ** place) % 13] ?? '';
  return `${at(2)}${at(1)}${at(0)}${index % 7 === 0 ? 'n' : ''}`;
});

/** Fills an empty content database with this many topics, evenly distributed over subjects, grades and levels. */
export async function seedSchool(sql: Sql, topics: number) {
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

const parents = { level: 'null', grade: "'l'", subject: "'g'", topic: "'s'" };

function insertNodes(kind: keyof typeof parents, count: number, perParent: number, above: number, from = 0): string {
  const idOf = (prefix: string, number: string) => `${prefix} || lpad((${number})::text, 23, '0')`;
  const parent = kind === 'level' ? 'null' : idOf(parents[kind], `(n / ${perParent}) % ${above}`);
  // Squared, so that the first words are frequent and the last ones rare.
  const word = (salt: number) =>
    `(select word from words where place = 1 + floor(2000 * (((n::bigint * 7919 + ${salt} * 104729) % 99991) / 99991.0) ^ 2)::int)`;
  const words = (many: number, salt: number) =>
    Array.from({ length: many }, (_, index) => word(salt + index)).join(` || ' ' || `);
  return `
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, level, content)
    select ${idOf(`'${kind[0]}'`, 'n')}, '${kind}', ${parent}, ${words(2, 1)} || ' ' || n, ${words(6, 3)}, n % ${perParent},
      true, true, ${kind === 'grade' ? "'primary'" : 'null'}, ${kind === 'topic' ? words(25, 9) : 'null'}
    from generate_series(${from}, ${from + count - 1}) as n`;
}
