// Fills databases with SQL.
import type { Sql } from 'postgres';

/** The number of topics below a node of each kind. */
const topicsBelow = { level: 2_000, grade: 200, subject: 20, topic: 1 };
export const topicsPerSubject = topicsBelow.subject;

export const idOf = (kind: string, number: number) => `${kind}${String(number).padStart(23, '0')}`;
/** SQL of the same. */
export const id = (kind: string, number: string) => `'${kind}' || lpad((${number})::text, 23, '0')`;

/** SQL of a made-up word. The words of consecutive numbers do not begin alike. */
export const word = (number: string) => `substr(translate(md5((${number})::text), '0123456789', 'ghijklmnop'), 1, 6)`;

/** SQL of some of two thousand words, at random. The first ones are frequent, the last ones rare, at every size. */
const words = (count: number) => Array(count).fill(word('floor(2000 * random() ^ 2)')).join(` || ' ' || `);

const shortText = words(25);
export const twoKilobytes = 'repeat(md5(n::text), 64)';

/** Fills an empty content database with topics, their subjects, grades and levels. */
export async function seedContent(sql: Sql, topics: number, content = shortText) {
  let parent: keyof typeof topicsBelow | undefined;
  for (const kind of ['level', 'grade', 'subject', 'topic'] as const) {
    const parentId = parent ? id(parent.charAt(0), `n * ${topicsBelow[kind]} / ${topicsBelow[parent]}`) : 'null';
    await sql.unsafe(`
      insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, level, content)
      select ${id(kind.charAt(0), 'n')}, '${kind}', ${parentId}, ${words(2)} || ' ' || n, ${words(6)}, n % 20, true, true,
        ${kind === 'grade' ? "'primary'" : 'null'}, ${kind === 'topic' ? content : 'null'}
      from generate_series(0, ${topics / topicsBelow[kind] - 1}) n`);
    parent = kind;
  }
  await sql`vacuum analyze`;
}

/** Fills an enrollment database with the same topics, and enrolls each user in some subjects: all of 200 users in the same ones. */
export async function seedEnrollment(sql: Sql, topics: number, userIds: string[], subjectsPerUser: number) {
  const subjects = topics / topicsPerSubject;
  await sql.unsafe(`
    insert into outline (id, kind, parent_id, name, position, is_live)
    select ${id('s', 'n')}, 'subject', ${id('g', 'n / 10')}, 'Subject ' || n, n % 10, true from generate_series(0, ${subjects - 1}) n
    union all
    select ${id('t', 'n')}, 'topic', ${id('s', `n / ${topicsPerSubject}`)}, 'Topic ' || n, n % ${topicsPerSubject}, true
    from generate_series(0, ${topics - 1}) n`);
  await sql`
    insert into people (id, email) select id, id || '@lms.test' from unnest(${userIds}::text[]) id on conflict do nothing`;
  await sql.unsafe(
    `insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    select ${id('e', `u * ${subjectsPerUser} + s`)}, user_id, ${id('s', `(u - 1) / 200 + s`)}, 'APPROVED', 'ADMIN',
      now() - random() * interval '300 days'
    from unnest($1::text[]) with ordinality users (user_id, u), generate_series(0, ${subjectsPerUser - 1}) s`,
    [userIds],
  );
  await sql`vacuum analyze`;
}
