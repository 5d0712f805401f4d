// How long "is this learner enrolled?" takes at 10,000 and at 1,000,000 enrollments.
// Needs a superuser: BENCH_POSTGRES_URL=postgres://...
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { connect } from '@lms/database/connect';
import { migrateDatabase } from '@lms/database/migrate-database';
import { createServiceClient } from '@lms/service/service-client';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { createId } from '@paralleldrive/cuid2';
import { buildApp } from 'enrollment/app';
import { enrollments } from 'enrollment/enrollments';
import { pino } from 'pino';
import postgres from 'postgres';
import { Agent, request } from 'undici';
import { type Question, questionsOf, seedEnrollments } from './enrollment-access/seed-enrollments.ts';

const sizes = [10_000, Number(process.env.BENCH_ENROLLMENTS ?? 1_000_000)];
const rounds = 20;
const questionsPerRound = 120;
const highestRatio = 1.3;
const migrations = fileURLToPath(new URL('../../services/enrollment/migrations', import.meta.url));
const superuser = process.env.BENCH_POSTGRES_URL;
if (!superuser) throw new Error('BENCH_POSTGRES_URL is not set');
const administration = postgres(superuser, { max: 1, onnotice: () => undefined });
const dispatcher = new Agent({ connections: 1, pipelining: 1 });

const offices: Awaited<ReturnType<typeof openOffice>>[] = [];
for (const size of sizes) offices.push(await openOffice(size));
try {
  const [overHttp, statement] = [await measure('ask'), await measure('look')];
  console.log(`| enrollments | ${sizes.join(' | ')} | ratio |`);
  console.log('| --- | --: | --: | --: |');
  const rows = [
    ['the statement alone, p50', statement, 0.5],
    ['the statement alone, p99', statement, 0.99],
    ['the question over HTTP, p50', overHttp, 0.5],
    ['the question over HTTP, p99', overHttp, 0.99],
  ] as const;
  for (const [name, samples, share] of rows) {
    const [small = Number.NaN, large = Number.NaN] = samples.map((took) => percentile(took, share));
    console.log(`| ${name} | ${small.toFixed(3)} ms | ${large.toFixed(3)} ms | ${(large / small).toFixed(2)} |`);
    if (share === 0.5 && !(large / small <= highestRatio)) process.exitCode = 1;
  }
} finally {
  for (const { close } of offices) await close();
  await administration.end();
}

/** Asks all offices the same kind of question in turns, so that what disturbs the machine disturbs all of them. */
async function measure(how: 'ask' | 'look'): Promise<number[][]> {
  const took = offices.map((): number[] => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, office] of offices.entries())
      for (const question of office.questions.slice(round * questionsPerRound, (round + 1) * questionsPerRound)) {
        const ms = await office[how](question);
        if (round > 0) took[index]?.push(ms);
      }
  return took;
}

/** An enrollment service over a database of its own. */
async function openOffice(size: number) {
  const name = `bench_${createId()}`;
  await administration`create database ${administration(name)}`;
  const url = new URL(superuser ?? '');
  url.pathname = `/${name}`;
  await migrateDatabase(url.href, migrations);
  const seeding = postgres(url.href, { max: 1, onnotice: () => undefined, connection: { statement_timeout: 0 } });
  await seedEnrollments(seeding, size);
  await seeding.end();

  const database = connect(url.href);
  const nobody = createServiceClient('http://127.0.0.1:9');
  const app = await buildApp({
    logger: pino({ level: 'silent' }),
    database,
    passportKey: testPassportKey,
    content: nobody,
    identity: nobody,
    notifyRelay: () => undefined,
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    questions: questionsOf(size, (rounds + 1) * questionsPerRound),
    async ask({ userId, subjectId, granted }: Question): Promise<number> {
      const headers = passportHeaders(testPrincipal(['LEARNER'], { userId }));
      const start = performance.now();
      const { statusCode, body } = await request(`${address}/internal/subjects/${subjectId}/access`, {
        dispatcher,
        headers,
      });
      const answer = await body.json();
      const took = performance.now() - start;
      if (statusCode !== 200 || Object(answer).data.granted !== granted) throw new Error('a wrong answer');
      return took;
    },
    async look({ userId, subjectId, granted }: Question): Promise<number> {
      const start = performance.now();
      const found = await enrollments(database.db).findActive(userId, subjectId);
      const took = performance.now() - start;
      if ((found !== undefined) !== granted) throw new Error('a wrong answer');
      return took;
    },
    async close() {
      await app.close();
      await nobody.close();
      await database.close();
      await administration`drop database ${administration(name)} with (force)`;
    },
  };
}

function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
