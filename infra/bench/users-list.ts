// Measures the list of users at 10,000 and at 1,000,000 users. Needs a superuser: BENCH_POSTGRES_URL=postgres://...
import { fileURLToPath } from 'node:url';
import { connect } from '@lms/database/connect';
import { migrateDatabase } from '@lms/database/migrate-database';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { createId } from '@paralleldrive/cuid2';
import { buildApp } from 'identity/app';
import { pino } from 'pino';
import postgres from 'postgres';
import { measure, quantile } from './users-list/measure.ts';
import { emailOf, firstNameOf, lastNameOf, seedUsers } from './users-list/seed-users.ts';

const sizes = [10_000, Number(process.env.BENCH_USERS ?? 1_000_000)] as const;
const migrations = fileURLToPath(new URL('../../services/identity/migrations', import.meta.url));
const superuser = process.env.BENCH_POSTGRES_URL;
if (!superuser) throw new Error('BENCH_POSTGRES_URL is not set');
const adminSql = postgres(superuser, { max: 1, onnotice: () => undefined });

interface Case {
  name: string;
  /** Whether the ratio has a target: the number of matches does not depend on the number of users. */
  isTarget: boolean;
  query: (user: number, users: number) => string;
}

const admin = testPrincipal(['ADMIN']);
// The rounds may take longer than the minute that a passport is valid.
const oneHour = { claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } };

/** The highest allowed ratio for a searched, filtered page. */
const maxRatio = 3;
const cases: Case[] = [
  { name: 'searched by e-mail', isTarget: true, query: (user, users) => `search=${emailOf(user, users)}` },
  { name: 'by last name (20 each)', isTarget: true, query: (user, users) => `search=${lastNameOf(user, users)}` },
  {
    name: 'the same, active learners on FREE by last name',
    isTarget: true,
    query: (user, users) =>
      `search=${lastNameOf(user, users)}&role=LEARNER&status=ACTIVE&plan=FREE&sort=lastName&order=asc`,
  },
  {
    name: 'by both names, learners',
    isTarget: true,
    query: (user, users) => `search=${firstNameOf(user)}%20${lastNameOf(user, users)}&role=LEARNER`,
  },
  { name: 'by first name (1 in 500)', isTarget: false, query: (user) => `search=${firstNameOf(user)}` },
  { name: 'the suspended (1 in 20)', isTarget: false, query: () => 'status=SUSPENDED' },
  { name: 'all, newest first', isTarget: false, query: () => '' },
];

const opened: (() => Promise<unknown>)[] = [];
try {
  const systems = [await startIdentity(sizes[0]), await startIdentity(sizes[1])];
  console.log(`| list | p50 at ${sizes[0]} | p50 at ${sizes[1]} | ratio | p99 at ${sizes[1]} |`);
  console.log('| --- | --: | --: | --: | --: |');
  for (const { name, query, isTarget } of cases) {
    const series = systems.map(({ url, users }) => ({
      urlOf: (turn: number) => `${url}/api/users?${query((turn * 7_919 + 13) % users, users)}`,
      headers: passportHeaders(admin, oneHour),
    }));
    const [small = [], large = []] = await measure(series);
    const [before, after] = [quantile(small, 0.5), quantile(large, 0.5)];
    const row = [before, after, after / before, quantile(large, 0.99)].map((value) => value.toFixed(2));
    console.log(`| ${name} | ${row.join(' | ')} |`);
    if (isTarget && after / before >= maxRatio) process.exitCode = 1;
  }
} finally {
  for (const close of opened.toReversed()) await close();
  await adminSql.end();
}

/** Starts an identity service with its own database. */
async function startIdentity(users: number) {
  const name = `bench_${createId()}`;
  await adminSql`create database ${adminSql(name)}`;
  opened.push(() => adminSql`drop database ${adminSql(name)} with (force)`);
  const url = new URL(superuser ?? '');
  url.pathname = `/${name}`;
  await migrateDatabase(url.href, migrations);
  const seeding = postgres(url.href, { max: 1, onnotice: () => undefined, connection: { statement_timeout: 0 } });
  await seedUsers(seeding, users);
  await seeding.end();

  const database = connect(url.href);
  const app = await buildApp({
    logger: pino({ level: 'error' }),
    database,
    passportKey: testPassportKey,
    notifyRelay: () => undefined,
    webhooks: { keys: [], acceptUntimestamped: false },
    defaultPlan: 'FREE',
    adminEmails: new Set(),
    exportClients: {},
  });
  opened.push(async () => {
    await app.close();
    await database.close();
  });
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), users };
}
