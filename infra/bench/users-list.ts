// Measures the list of users at 10,000 and at BENCH_USERS (1,000,000) users. See README.md.
import { testPassportKey } from '@lms/testing/principals';
import { buildApp } from 'identity/app';
import { pino } from 'pino';
import type { Sql } from 'postgres';
import { fillWithoutIndexes } from './harness/databases.ts';
import { adminHeaders, compareSizes } from './harness/growth.ts';
import { setting } from './harness/run-bench.ts';

const consonants = [...'bcdfghjklmnprstvwxyz'];
const vowels = [...'aeiou'];
const syllables = consonants.flatMap((consonant) => vowels.map((vowel) => consonant + vowel));

const endings = ['', 'son', 'ez', 'ova', 'sen', 'ski', 'er', 'ton'];

/** The number of users with the same family name. */
const usersPerLastName = 20;
const firstNames = 500;

// Spreads consecutive numbers, so that their names do not start alike.
const spread = (number: number, prime: number) => (number * prime) % 1_000_003;
const spell = (number: number) =>
  [0, 1, 2].map((place) => syllables[Math.floor(number / 100 ** place) % 100] ?? '').join('');

function lastNameOf(user: number, users: number): string {
  const name = user % (users / usersPerLastName);
  return `${spell(spread(name, 7_919))}${endings[name % endings.length]}`;
}
const firstNameOf = (user: number) => spell(spread(user % firstNames, 104_729));
const emailOf = (user: number, users: number) => `${firstNameOf(user)}.${lastNameOf(user, users)}.${user}@lms.test`;

const batch = 50_000;

/** Fills an empty identity database: all are learners, one in ten is a mentor, one in twenty is suspended, one in four has the plan PRO. */
const seedUsers = (sql: Sql, users: number) =>
  fillWithoutIndexes(sql, ['users', 'user_roles'], async () => {
    for (let from = 0; from < users; from += batch) {
      const numbers = Array.from({ length: Math.min(batch, users - from) }, (_, index) => from + index);
      const emails = numbers.map((number) => emailOf(number, users));
      const first = numbers.map(firstNameOf);
      const last = numbers.map((number) => lastNameOf(number, users));
      await sql`
        insert into users (id, identity_provider_id, email, email_verified, first_name, last_name, status, plan, search_text, created_at)
        select 'u' || lpad(n::text, 23, '0'), 'idp_' || n, email, true, first, last,
          case when n % 20 = 0 then 'SUSPENDED' else 'ACTIVE' end, case when n % 4 = 0 then 'PRO' else 'FREE' end,
          first || ' ' || last || E'\n' || email, now() - n * interval '1 second'
        from unnest(${numbers}::int[], ${emails}::text[], ${first}::text[], ${last}::text[]) as u (n, email, first, last)`;
    }
    await sql`insert into user_roles (id, user_id, role)
      select 'l' || substr(id, 2), id, 'LEARNER' from users
      union all select 'm' || substr(id, 2), id, 'MENTOR' from users where substr(id, 15)::int % 10 = 1`;
  });

/** For a searched, filtered page: the number of matches does not depend on the number of users. */
const maxRatio = 3;
const cases: { name: string; maxRatio?: number; query: (user: number, users: number) => string }[] = [
  { name: 'searched by e-mail', maxRatio, query: (user, users) => `search=${emailOf(user, users)}` },
  { name: 'by last name (20 each)', maxRatio, query: (user, users) => `search=${lastNameOf(user, users)}` },
  {
    name: 'the same, active learners on FREE by last name',
    maxRatio,
    query: (user, users) =>
      `search=${lastNameOf(user, users)}&role=LEARNER&status=ACTIVE&plan=FREE&sort=lastName&order=asc`,
  },
  {
    name: 'by both names, learners',
    maxRatio,
    query: (user, users) => `search=${firstNameOf(user)}%20${lastNameOf(user, users)}&role=LEARNER`,
  },
  { name: 'by first name (1 in 500)', query: (user) => `search=${firstNameOf(user)}` },
  { name: 'the suspended (1 in 20)', query: () => 'status=SUSPENDED' },
  { name: 'all, newest first', query: () => '' },
];

await compareSizes({
  service: 'identity',
  size: setting('BENCH_USERS', 1_000_000),
  times: 480,
  seed: seedUsers,
  build: (database) =>
    buildApp({
      logger: pino({ level: 'error' }),
      database,
      passportKey: testPassportKey,
      notifyRelay: () => undefined,
      webhooks: { keys: [], acceptUntimestamped: false },
      defaultPlan: 'FREE',
      adminEmails: new Set(),
      exportClients: {},
    }),
  reads: (size) =>
    cases.map(({ query, ...rest }) => ({
      ...rest,
      request: (turn) => ({ path: `/api/users?${query((turn * 7_919 + 13) % size, size)}`, headers: adminHeaders }),
    })),
});
