// Measures the enrollment check at 10,000 and at BENCH_ENROLLMENTS (1,000,000) enrollments. See README.md.
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { buildApp } from 'enrollment/app';
import { pino } from 'pino';
import type { Sql } from 'postgres';
import { compareSizes } from './harness/growth.ts';
import { setting } from './harness/run-bench.ts';

const subjectsPerUser = 5;
const learnersPerSubject = 50;

const idOf = (kind: 'u' | 's', number: number) => `${kind}${String(number).padStart(23, '0')}`;

/** Of the five subjects of each user three are approved, one is pending and one was left. */
const statuses = ['APPROVED', 'APPROVED', 'APPROVED', 'PENDING', 'WITHDRAWN'] as const;

/** The n-th subject of a user; from the fifth on, one that they never requested. */
const subjectOf = (user: number, nth: number, subjects: number) => (user + nth * 37) % subjects;

const counts = (enrollments: number) => ({
  users: enrollments / subjectsPerUser,
  subjects: enrollments / learnersPerSubject,
});

/** Fills an empty enrollment database; the same number to each user and subject, whatever the total. */
async function seedEnrollments(sql: Sql, total: number) {
  const { users, subjects } = counts(total);
  await sql`insert into outline (id, kind, name, is_live, version)
    select 's' || lpad(n::text, 23, '0'), 'subject', 'Subject ' || n, true, 1
    from generate_series(0, ${subjects - 1}::int) n`;
  await sql`insert into people (id, email, version)
    select 'u' || lpad(n::text, 23, '0'), n || '@lms.test', 1 from generate_series(0, ${users - 1}::int) n`;
  for (const [nth, status] of statuses.entries())
    await sql`insert into enrollments (id, user_id, subject_id, status, source, requested_at, expires_at)
      select 'e' || lpad((n * ${subjectsPerUser}::int + ${nth}::int)::text, 23, '0'), 'u' || lpad(n::text, 23, '0'),
        's' || lpad(((n + ${nth}::int * 37) % ${subjects}::int)::text, 23, '0'), ${status}, 'REQUEST',
        now() - random() * interval '300 days', case when n % 2 = 0 then now() + interval '30 days' end
      from generate_series(0, ${users - 1}::int) n`;
  await sql`vacuum analyze`;
}

/** The n-th of checks all over the table, three of six to be granted. */
function accessCheck(total: number, n: number) {
  const { users, subjects } = counts(total);
  const user = (n * 7_919 + 13) % users;
  const nth = n % (statuses.length + 1);
  const subjectId = idOf('s', subjectOf(user, nth, subjects));
  return { userId: idOf('u', user), subjectId, granted: statuses[nth] === 'APPROVED' };
}

await compareSizes({
  service: 'enrollment',
  size: setting('BENCH_ENROLLMENTS', 1_000_000),
  times: 2_400,
  seed: seedEnrollments,
  build: (database, unreachable) =>
    buildApp({
      logger: pino({ level: 'silent' }),
      database,
      passportKey: testPassportKey,
      content: unreachable,
      identity: unreachable,
      notifyRelay: () => undefined,
    }),
  reads: (size) => [
    {
      name: 'the check over HTTP',
      maxRatio: 1.3,
      request(turn) {
        const { userId, subjectId, granted } = accessCheck(size, turn);
        return {
          path: `/internal/subjects/${subjectId}/access`,
          headers: passportHeaders(testPrincipal(['LEARNER'], { userId })),
          contains: `"granted":${granted}`,
        };
      },
    },
  ],
});
