// How the list of users grows from 10,000 to 1,000,000 of them. Needs a superuser: BENCH_POSTGRES_URL=postgres://...
import { fileURLToPath } from 'node:url';
import { connect } from '@lms/database/connect';
import { migrateDatabase } from '@lms/database/migrate-database';
import { asCaller, person, testPassportKey } from '@lms/testing/people';
import { createId } from '@paralleldrive/cuid2';
import { pino } from 'pino';
import postgres from 'postgres';
import { buildApp } from '../../services/identity/src/app.ts';
import { createMetrics } from '../../services/identity/src/metrics.ts';
import { measure, type Route } from './content-growth/measure.ts';
import { emailOf, firstNameOf, lastNameOf, seedUsers } from './users-list/seed-users.ts';

const sizes = [10_000, Number(process.env.BENCH_USERS ?? 1_000_000)] as const;
const migrations = fileURLToPath(new URL('../../services/identity/migrations', import.meta.url));
const superuser = process.env.BENCH_POSTGRES_URL;
if (!superuser) throw new Error('BENCH_POSTGRES_URL is not set');
const administration = postgres(superuser, { max: 1, onnotice: () => undefined });
const admin = person(['ADMIN']);
// The rounds may take longer than the minute of a passport.
const oneHour = { claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } };

const opened: (() => Promise<unknown>)[] = [];
try {
  const installations = [await openInstallation(sizes[0]), await openInstallation(sizes[1])];
  console.log(`| what is listed | p50 at ${sizes[0]} | p50 at ${sizes[1]} | ratio | p99 at ${sizes[1]} |`);
  console.log('| --- | --: | --: | --: | --: |');
  for (const [index, { name }] of routesOf(sizes[0]).entries()) {
    const servers = installations.flatMap(({ url, users }) => {
      const route = routesOf(users)[index];
      return route ? [{ url, route: { ...route, headers: asCaller(admin, oneHour) } }] : [];
    });
    const [small, large] = await measure(servers);
    if (!small || !large) throw new Error('there are two installations');
    const row = [small.p50, large.p50, large.p50 / small.p50, large.p99];
    console.log(`| ${name} | ${row.map((value) => value.toFixed(2)).join(' | ')} |`);
  }
} finally {
  for (const close of opened.toReversed()) await close();
  await administration.end();
}

/** An identity service over a database of its own. */
async function openInstallation(users: number) {
  const name = `bench_${createId()}`;
  await administration`create database ${administration(name)}`;
  opened.push(() => administration`drop database ${administration(name)} with (force)`);
  const url = new URL(superuser ?? '');
  url.pathname = `/${name}`;
  await migrateDatabase(url.href, migrations);
  const seeding = postgres(url.href, { max: 1, onnotice: () => undefined, connection: { statement_timeout: 0 } });
  await seedUsers(seeding, users);
  await seeding.end();

  const database = connect(url.href);
  const app = await buildApp({
    logger: pino({ level: 'silent' }),
    database,
    passportKey: testPassportKey,
    nudge: () => undefined,
    metrics: createMetrics(),
    webhooks: { keys: [], acceptUntimestamped: false },
    defaultPlan: 'FREE',
    adminEmails: new Set(),
    holders: {},
  });
  opened.push(async () => {
    await app.close();
    await database.close();
  });
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), users };
}

function routesOf(users: number): Route[] {
  const list = (query: (user: number) => string) =>
    Array.from({ length: 480 }, (_, index) => `/api/users?${query((index * 7_919 + 13) % users)}`);
  return [
    { name: 'searched by e-mail', paths: list((user) => `search=${emailOf(user, users)}`) },
    { name: 'searched by family name (20 of them)', paths: list((user) => `search=${lastNameOf(user, users)}`) },
    {
      name: 'the same, learners who are active and pay nothing, by last name',
      paths: list(
        (user) => `search=${lastNameOf(user, users)}&role=LEARNER&status=ACTIVE&plan=FREE&sort=lastName&order=asc`,
      ),
    },
    {
      name: 'searched by both names',
      paths: list((user) => `search=${firstNameOf(user)}%20${lastNameOf(user, users)}&role=LEARNER`),
    },
    { name: 'searched by a first name (one in 500 of them)', paths: list((user) => `search=${firstNameOf(user)}%20`) },
    { name: 'all, newest first', paths: list(() => '') },
    { name: 'the suspended (one in 20)', paths: list(() => 'status=SUSPENDED') },
  ];
}
