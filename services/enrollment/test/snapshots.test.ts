import { join } from 'node:path';
import { testDatabase } from '@lms/testing/database';
import { drizzle } from 'drizzle-orm/postgres-js';
import t from 'tap';
import type { Audience, EnrollmentFilter } from '../src/enrollments/repository.ts';
import { readSnapshot } from '../src/enrollments/snapshot-repository.ts';

t.test('the search of a file uses the indexes of texts, and finds what a list does', async (t) => {
  const { sql } = await testDatabase(t, join(import.meta.dirname, '../migrations'));
  await sql.begin(async (sql) => {
    // A busy machine may take longer than the usual timeout for so many rows.
    await sql`set local statement_timeout = 0`;
    await sql`set local session_replication_role = replica`;
    // Built after the rows, these indexes take a fraction of the time.
    const indexes = await sql<{ name: string; definition: string }[]>`
      select indexname as name, indexdef as definition from pg_indexes where indexdef like '% USING gin %'`;
    for (const { name } of indexes) await sql`drop index ${sql(name)}`;
    await sql`insert into outline (id, kind, name, is_live)
      select 'subject' || n, 'subject', case n when 9 then 'Needles' else 'Subject ' || n end, true
      from generate_series(1, 100) n`;
    await sql`insert into people (id, email, first_name)
      select 'user' || n, n || '@lms.test', case when n in (1, 7) then 'Needle' end from generate_series(1, 50000) n`;
    // Texts of 1,100, the e-mail of one of the others, and the name of their subject.
    await sql`insert into enrollments (id, user_id, subject_id, status, source, message, requested_at)
      select 'enrollment' || n, 'user' || n, 'subject' || n % 100 + 1, 'APPROVED', 'ADMIN',
        case when n % 45 = 0 then 'One needle' else 'Hay ' || n end, now() + n / 10 * interval '1 second'
      from generate_series(1, 49500) n`;
    for (const { definition } of indexes) await sql.unsafe(definition);
  });
  await sql`analyze`;

  const statements: { query: string; params: unknown[] }[] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => statements.push({ query, params }) };
  const db = drizzle(sql, { casing: 'snake_case', logger });
  const read = async (filter: EnrollmentFilter, audience: Audience) => {
    statements.length = 0;
    const ids: string[] = [];
    for await (const { rows } of readSnapshot(db, filter, audience))
      ids.push(...rows.map(({ enrollment: { id } }) => id));
    const batches = statements.filter(({ query }) => query.includes('order by'));
    const plans = batches.map(({ query, params }) => sql.unsafe(`explain ${query}`, params.map(String)));
    return { ids, plans: (await Promise.all(plans)).map((plan) => plan.map((line) => line['QUERY PLAN']).join('\n')) };
  };
  const expected = async (condition: string) =>
    (
      await sql.unsafe(`select e.id from enrollments e join people p on p.id = user_id join outline o on o.id = subject_id
        where ${condition} order by requested_at, e.id`)
    ).map(({ id }) => id);

  const all = await read({ search: 'needle' }, 'admin');
  t.same(all.ids, await expected(`message like '%needle%' or first_name = 'Needle' or o.name = 'Needles'`));
  t.equal(all.plans.length, 4, 'batches of 500');
  for (const plan of all.plans) {
    for (const index of ['enrollments_texts', 'people_search', 'enrollments_by_user']) t.match(plan, index);
    t.notMatch(plan, /Seq Scan on (enrollments|people)/);
  }
  const own = await read({ search: 'needle', subjectId: 'subject8' }, 'mentor');
  t.same(own.ids, ['enrollment7'], 'names and e-mails only');
  t.match(own.plans, [/people_search/]);
  const many = await read({ search: 'LMS.TEST', subjectId: 'subject8' }, 'mentor');
  t.same(many.ids, await expected(`subject_id = 'subject8'`), 'of more users than are looked up');
});
