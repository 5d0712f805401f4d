// Reads at 10,000 and at BENCH_ROWS (1,000,000) topics, users and enrollments, in turns. See README.md.
import type { Sql } from 'postgres';
import { byName, type Cases, compare, load, quantile } from './harness/measure.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { id, idOf, seedContent, seedEnrollment, word } from './harness/seed.ts';

/** The requests of nodes of a kind. `:id` is replaced. */
const nodes = (kind: string, path: string) =>
  `select replace('/api/education/${path}', ':id', id) as path from nodes where kind = '${kind}'`;
const search = (text: string, from = 'generate_series(0, 239) n') =>
  `select '/api/education/search?q=' || ${text} as path from ${from}`;
const topicsAt = (page: number) => `select '/api/admin/education/topics?limit=10&page=${page}' as path`;
const users = (query: string) => `select '/api/users?' || ${query} as path from users where id like 'u0%'`;
const access = `select '/internal/subjects/' || subject_id || '/access' as path, user_id from enrollments`;
const activeOnFree = 'role=LEARNER&status=ACTIVE&plan=FREE&sort=lastName';

/** The highest allowed ratio of the p50, and SQL of paths, and of the learners who request them; otherwise administrators do. */
const reads: [service: keyof typeof seeds, name: string, atMost: number, requests: string][] = [
  ['content', 'levels', 1.3, `select '/api/education/levels' as path`],
  ['content', 'grades of a level', 1.3, nodes('level', 'levels/:id/grades')],
  ['content', 'subjects of a grade', 1.3, nodes('grade', 'grades/:id/subjects')],
  ['content', 'topics of a subject', 1.3, nodes('subject', 'subjects/:id/topics')],
  ['content', 'one topic', 1.3, nodes('topic', 'topics/:id')],
  ['content', 'search, a rare name', 3, search(`substring(name from '\\d+$')`, 'nodes')],
  ['content', 'search, two words', 3, search(`${word('n + 20')} || '+' || ${word('n + 900')}`)],
  ['content', 'search, a common word', 3, search(word('n'))],
  ['content', 'search, a misspelt word', 3, search(`overlay(${word('n + 300')} placing 'x' from 3)`)],
  ['content', 'admin list, page 1', 3, topicsAt(1)],
  ['content', 'admin list, page 1,000', 3, topicsAt(1_000)],
  ['identity', 'users by e-mail', 3, users(`'search=' || email`)],
  ['identity', 'users by last name (20 each)', 3, users(`'search=' || last_name`)],
  ['identity', 'active learners on FREE', 3, users(`'${activeOnFree}&search=' || last_name`)],
  ['identity', 'learners by both names', 3, users(`'role=LEARNER&search=' || first_name || '+' || last_name`)],
  ['enrollment', 'enrolled?', 1.3, access],
];
const seeds = { content: seedContent, identity: seedUsers, enrollment: seedLearners };

/** Twenty users have the same last name, one in 500 the same first name. One in twenty is suspended, one in four has the plan PRO. */
async function seedUsers(sql: Sql, count: number) {
  await sql.unsafe(`
    insert into users (id, identity_provider_id, email, email_verified, first_name, last_name, status, plan, search_text, created_at)
    select ${id('u', 'n')}, 'idp_' || n, email, true, first, last, case when n % 20 = 0 then 'SUSPENDED' else 'ACTIVE' end,
      case when n % 4 = 0 then 'PRO' else 'FREE' end, first || ' ' || last || E'\\n' || email, now() - n * interval '1 second'
    from generate_series(0, ${count - 1}) n,
      lateral (select ${word('n % 500 * 13')} as first,
        ${word(`n % ${count / 20}`)} || (array['', 'son', 'ez', 'ova'])[1 + n % 4] as last) names,
      lateral (select first || '.' || last || '.' || n || '@lms.test' as email) address;
    insert into user_roles (id, user_id, role) select 'l' || substr(id, 2), id, 'LEARNER' from users where id like 'u0%'`);
  await sql`vacuum analyze`;
}

function seedLearners(sql: Sql, rows: number) {
  const userIds = Array.from({ length: rows / 5 }, (_, number) => idOf('u', number));
  return seedEnrollment(sql, rows / 5, userIds, 5);
}

const [small, large] = [10_000, setting('BENCH_ROWS', 1_000_000)];
const seconds = setting('BENCH_SECONDS', 1);

await runBench(async ({ startLocalStack, check }) => {
  const cases: Cases = {};
  for (const rows of [small, large]) {
    const stack = await startLocalStack({ SEED: 'false' });
    for (const [service, seed] of Object.entries(seeds)) await seed(stack.open(service), rows);
    for (const [service, name, , requests] of reads) {
      const chosen = await stack
        .open(service)
        .unsafe(`select * from (${requests}) chosen order by md5(path) limit 500`);
      cases[`${name}, ${rows}`] = () => {
        // Passports are valid for a minute.
        const headersOf = (user: string | undefined) =>
          user ? stack.passportOf('LEARNER', user) : stack.passportOf('ADMIN', idOf('a', 0));
        const requests = chosen.map(({ path, user_id: user }) => ({ path, headers: headersOf(user) }));
        return load({ url: stack.urlOf(service), requests, connections: 1, seconds });
      };
    }
  }
  const { ratio, values } = await compare(byName(cases), setting('BENCH_ROUNDS', 5));
  for (const [, name, atMost] of reads)
    check(name, ratio(`${name}, ${large}`, `${name}, ${small}`, 'p50 ms'), { atMost });
  const failed = Object.keys(cases).flatMap((name) => values(name, 'failed'));
  check('failed', quantile(failed, 1), { atMost: 0 });
});
