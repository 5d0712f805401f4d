// Measures reads of content at 10,000 and at 1,000,000 topics, in a PostgreSQL of its own or in that of a superuser:
// BENCH_POSTGRES_URL=postgres://... With BENCH_KEEP=true the seeded databases are kept there for the next run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@lms/database/connect';
import { migrateDatabase } from '@lms/database/migrate-database';
import { createServiceClient } from '@lms/service/service-client';
import { passportHeaders, testPassportKey, testPrincipal, testServiceSecret } from '@lms/testing/principals';
import { buildApp } from 'content/app';
import { createEntitlement } from 'content/entitlement';
import { startPostgres } from 'local/embedded';
import { pino } from 'pino';
import postgres from 'postgres';
import { measure, type Route } from './content-growth/measure.ts';
import { seedSchool, vocabulary } from './content-growth/seed-school.ts';

const sizes = [10_000, Number(process.env.BENCH_TOPICS ?? 1_000_000)] as const;
const migrations = fileURLToPath(new URL('../../services/content/migrations', import.meta.url));
const opened: (() => Promise<unknown>)[] = [];
const superuser = process.env.BENCH_POSTGRES_URL ?? (await startOwnPostgres());
const adminSql = postgres(superuser, { max: 1, onnotice: () => undefined });
opened.push(() => adminSql.end());

try {
  const systems = [await startContent(sizes[0]), await startContent(sizes[1])];
  console.log(`| read | p50 at ${sizes[0]} | p50 at ${sizes[1]} | ratio | p99 at ${sizes[1]} | ratio |`);
  console.log('| --- | --: | --: | --: | --: | --: |');
  for (const { name, target } of routesOf(0)) {
    const servers = systems.flatMap(({ url, topics }) =>
      routesOf(topics).flatMap((route) => (route.name === name ? [{ url, route }] : [])),
    );
    const [small, large] = await measure(servers);
    if (!small || !large) throw new Error('two systems expected');
    const row = [small.p50, large.p50, large.p50 / small.p50, large.p99, large.p99 / small.p99];
    console.log(`| ${name} | ${row.map((value) => value.toFixed(2)).join(' | ')} |`);
    if (large.p50 / small.p50 > target) process.exitCode = 1;
  }
} finally {
  for (const close of opened.toReversed()) await close();
}

async function startOwnPostgres(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'content-growth-'));
  const { url, stop } = await startPostgres({ directory });
  opened.push(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });
  return url;
}

/** Starts a content service with a database of this many topics. */
async function startContent(topics: number) {
  const name = `bench_content_${topics}`;
  const url = new URL(superuser);
  url.pathname = `/${name}`;
  const [seeded] = await adminSql`select from pg_database where datname = ${name}`;
  if (!seeded) await adminSql`create database ${adminSql(name)}`;
  if (!process.env.BENCH_KEEP) opened.push(() => adminSql`drop database ${adminSql(name)} with (force)`);
  await migrateDatabase(url.href, migrations);
  if (!seeded) await seedSchool(url.href, topics);

  const database = connect(url.href);
  const unreachable = createServiceClient('http://127.0.0.1:9');
  const app = await buildApp({
    logger: pino({ level: 'silent' }),
    database,
    passportKey: testPassportKey,
    serviceSecret: testServiceSecret,
    entitlement: createEntitlement(unreachable),
    identity: unreachable,
    media: unreachable,
    notifyRelay: () => undefined,
    contentIsPublic: false,
    publicUrl: 'http://localhost',
  });
  opened.push(async () => {
    await app.close();
    await unreachable.close();
    await database.close();
  });
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), topics };
}

function routesOf(topics: number): Route[] {
  const some = (kind: string, total: number) =>
    Array.from(
      { length: 480 },
      (_, index) => `${kind}${String((index * 7_919) % Math.max(total, 1)).padStart(23, '0')}`,
    );
  const words = (first: number) => Array.from({ length: 240 }, (_, index) => vocabulary[first + index] ?? '');
  const misspelt = words(300).map((word) => `${word.slice(0, 2)}${word.slice(3)}x`);
  const admin = passportHeaders(testPrincipal(['ADMIN']), { claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
  const searches = (queries: string[]) => queries.map((q) => `/api/education/search?q=${encodeURIComponent(q)}`);
  const [steady, searched] = [{ target: 1.3 }, { target: 3 }];
  return [
    { ...steady, name: 'levels', paths: ['/api/education/levels'] },
    {
      ...steady,
      name: 'grades of a level',
      paths: some('l', topics / 1_000).map((id) => `/api/education/levels/${id}/grades`),
    },
    {
      ...steady,
      name: 'subjects of a grade',
      paths: some('g', topics / 200).map((id) => `/api/education/grades/${id}/subjects`),
    },
    {
      ...steady,
      name: 'topics of a subject',
      paths: some('s', topics / 20).map((id) => `/api/education/subjects/${id}/topics`),
    },
    { ...steady, name: 'one topic', paths: some('t', topics).map((id) => `/api/education/topics/${id}`) },
    {
      ...steady,
      name: 'topics of a subject, signed in',
      paths: some('s', topics / 20).map((id) => `/api/education/subjects/${id}/topics`),
      headers: admin,
    },
    {
      ...steady,
      name: 'one topic, signed in',
      paths: some('t', topics).map((id) => `/api/education/topics/${id}`),
      headers: admin,
    },
    { ...searched, name: 'search, a rare name', paths: searches(some('', topics).map((id) => String(Number(id)))) },
    {
      ...searched,
      name: 'search, two words',
      paths: searches(words(20).map((word, index) => `${word} ${words(900)[index]}`)),
    },
    { ...searched, name: 'search, a common word', paths: searches(words(0)) },
    { ...searched, name: 'search, a misspelt word', paths: searches(misspelt) },
    { ...searched, name: 'admin list, page 1', paths: ['/api/admin/education/topics?limit=10'], headers: admin },
    {
      ...searched,
      name: 'admin list, page 1,000',
      paths: ['/api/admin/education/topics?limit=10&page=1000'],
      headers: admin,
    },
  ];
}
