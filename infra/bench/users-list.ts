// Measures the list of users at 10,000 and at BENCH_USERS (1,000,000) users. See README.md.
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { buildApp } from 'identity/app';
import { pino } from 'pino';
import { compareSizes, get } from './harness/growth.ts';
import { emailOf, firstNameOf, lastNameOf, seedUsers } from './users-list/seed-users.ts';

const admin = testPrincipal(['ADMIN']);
// The reads may take longer than the minute that a passport is valid.
const oneHour = { claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } };

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
  size: Number(process.env.BENCH_USERS ?? 1_000_000),
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
  reads: cases.map(({ query, ...rest }) => ({
    ...rest,
    prepare({ url, size }, turn) {
      const path = `/api/users?${query((turn * 7_919 + 13) % size, size)}`;
      const headers = passportHeaders(admin, oneHour);
      return () => get(url + path, headers);
    },
  })),
});
