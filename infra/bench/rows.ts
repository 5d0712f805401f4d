// Reads at 10,000 and at BENCH_ROWS (1,000,000) topics, users and enrollments, in turns. See README.md.
import type { Role } from '@lms/contracts/passport';
import type { Sql } from 'postgres';
import { load } from './harness/measure.ts';
import { type Cases, compare, quantile, runBench, setting } from './harness/run-bench.ts';
import { id, idOf, seedContent, seedEnrollment, word } from './harness/seed.ts';

interface Growth {
  service: 'content' | 'identity' | 'enrollment';
  role: Role;
  seed: (sql: Sql, rows: number) => Promise<unknown>;
  /** The name, the highest allowed ratio of the p50, and SQL of paths, and of the users who request them, an administrator by default. */
  reads: [name: string, atMost: number, requests: string][];
}

/** The requests of nodes of a kind. `:id` is replaced. */
const nodes = (kind: string, path: string) =>
  `select replace('/api/education/${path}', ':id', id) as path from nodes where kind = '${kind}'`;
const search = (text: string, from = 'generate_series(0, 239) n') =>
  `select '/api/education/search?q=' || ${text} as path from ${from}`;
const topicsAt = (page: number) => `select '/api/admin/education/topics?limit=10&page=${page}' as path`;
const users = (query: string) => `select '/api/users?' || ${query} as path from users where id like 'u0%'`;

const growths: Growth[] = [
  {
    ...{ service: 'content', role: 'ADMIN', seed: seedContent },
    reads: [
      ['levels', 1.3, `select '/api/education/levels' as path`],
      ['grades of a level', 1.3, nodes('level', 'levels/:id/grades')],
      ['subjects of a grade', 1.3, nodes('grade', 'grades/:id/subjects')],
      ['topics of a subject', 1.3, nodes('subject', 'subjects/:id/topics')],
      ['one topic', 1.3, nodes('topic', 'topics/:id')],
      ['search, a rare name', 3, search(`substring(name from '\\d+$')`, 'nodes')],
      ['search, two words', 3, search(`${word('n + 20')} || '+' || ${word('n + 900')}`)],
      ['search, a common word', 3, search(word('n'))],
      ['search, a misspelt word', 3, search(`overlay(${word('n + 300')} placing 'x' from 3)`)],
      ['admin list, page 1', 3, topicsAt(1)],
      ['admin list, page 1,000', 3, topicsAt(1_000)],
    ],
  },
  {
    ...{ service: 'identity', role: 'ADMIN', seed: seedUsers },
    reads: [
      ['users by e-mail', 3, users(`'search=' || email`)],
      ['users by last name (20 each)', 3, users(`'search=' || last_name`)],
      [
        'active learners on FREE',
        3,
        users(`'role=LEARNER&status=ACTIVE&plan=FREE&sort=lastName&search=' || last_name`),
      ],
      ['learners by both names', 3, users(`'role=LEARNER&search=' || first_name || '+' || last_name`)],
    ],
  },
  {
    ...{ service: 'enrollment', role: 'LEARNER', seed: seedLearners },
    reads: [
      ['enrolled?', 1.3, `select '/internal/subjects/' || subject_id || '/access' as path, user_id from enrollments`],
    ],
  },
];

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
    for (const { service, role, seed, reads } of growths) {
      const { sql } = stack.open(service);
      await seed(sql, rows);
      for (const [name, , requests] of reads) {
        const chosen = await sql.unsafe(`select * from (${requests}) chosen order by md5(path) limit 500`);
        cases[`${name}, ${rows}`] = () => {
          // Passports are valid for a minute.
          const headers = (user = idOf('a', 0)) => stack.passportOf(role, user);
          const requests = chosen.map(({ path, user_id: user }) => ({ path, headers: headers(user) }));
          return load({ url: stack.addresses[service].url, requests, connections: 1, seconds });
        };
      }
    }
  }
  // By their names, so that each read at one size follows the same at the other.
  const sorted = Object.entries(cases).sort(([one], [other]) => one.localeCompare(other));
  const { ratio, values } = await compare(Object.fromEntries(sorted), setting('BENCH_ROUNDS', 5));
  for (const [name, atMost] of growths.flatMap(({ reads }) => reads))
    check(name, ratio(`${name}, ${large}`, `${name}, ${small}`, 'p50 ms'), { atMost });
  const failed = Object.keys(cases).flatMap((name) => values(name, 'failed') ?? []);
  check('failed', quantile(failed, 1), { atMost: 0 });
});
