// Measures the enrollment check at 10,000 and at 1,000,000 enrollments.
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
import { Agent, request as send } from 'undici';
import { type AccessCheck, accessChecks, seedEnrollments } from './enrollment-access/seed-enrollments.ts';

const sizes = [10_000, Number(process.env.BENCH_ENROLLMENTS ?? 1_000_000)];
const rounds = 20;
const checksPerRound = 120;
const maxRatio = 1.3;
const migrations = fileURLToPath(new URL('../../services/enrollment/migrations', import.meta.url));
const superuser = process.env.BENCH_POSTGRES_URL;
if (!superuser) throw new Error('BENCH_POSTGRES_URL is not set');
const adminSql = postgres(superuser, { max: 1, onnotice: () => undefined });
const dispatcher = new Agent({ connections: 1, pipelining: 1 });

const services: Awaited<ReturnType<typeof startService>>[] = [];
for (const size of sizes) services.push(await startService(size));
try {
  const [overHttp, statement] = [await measure('request'), await measure('query')];
  console.log(`| enrollments | ${sizes.join(' | ')} | ratio |`);
  console.log('| --- | --: | --: | --: |');
  const rows = [
    ['the statement alone, p50', statement, 0.5],
    ['the statement alone, p99', statement, 0.99],
    ['the check over HTTP, p50', overHttp, 0.5],
    ['the check over HTTP, p99', overHttp, 0.99],
  ] as const;
  for (const [name, samples, share] of rows) {
    const [small = Number.NaN, large = Number.NaN] = samples.map((took) => percentile(took, share));
    console.log(`| ${name} | ${small.toFixed(3)} ms | ${large.toFixed(3)} ms | ${(large / small).toFixed(2)} |`);
    if (share === 0.5 && !(large / small <= maxRatio)) process.exitCode = 1;
  }
} finally {
  for (const { close } of services) await close();
  await adminSql.end();
}

/** Measures all services in turns, so that other load on the machine affects all of them. */
async function measure(how: 'request' | 'query'): Promise<number[][]> {
  const took = services.map((): number[] => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, service] of services.entries())
      for (const check of service.checks.slice(round * checksPerRound, (round + 1) * checksPerRound)) {
        const ms = await service[how](check);
        if (round > 0) took[index]?.push(ms);
      }
  return took;
}

/** Starts an enrollment service with its own database. */
async function startService(size: number) {
  const name = `bench_${createId()}`;
  await adminSql`create database ${adminSql(name)}`;
  const url = new URL(superuser ?? '');
  url.pathname = `/${name}`;
  await migrateDatabase(url.href, migrations);
  const seeding = postgres(url.href, { max: 1, onnotice: () => undefined, connection: { statement_timeout: 0 } });
  await seedEnrollments(seeding, size);
  await seeding.end();

  const database = connect(url.href);
  const unreachable = createServiceClient('http://127.0.0.1:9');
  const app = await buildApp({
    logger: pino({ level: 'silent' }),
    database,
    passportKey: testPassportKey,
    content: unreachable,
    identity: unreachable,
    notifyRelay: () => undefined,
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    checks: accessChecks(size, (rounds + 1) * checksPerRound),
    async request({ userId, subjectId, granted }: AccessCheck): Promise<number> {
      const headers = passportHeaders(testPrincipal(['LEARNER'], { userId }));
      const start = performance.now();
      const { statusCode, body } = await send(`${address}/internal/subjects/${subjectId}/access`, {
        dispatcher,
        headers,
      });
      const response = await body.json();
      const took = performance.now() - start;
      if (statusCode !== 200 || Object(response).data.granted !== granted) throw new Error('wrong response');
      return took;
    },
    async query({ userId, subjectId, granted }: AccessCheck): Promise<number> {
      const start = performance.now();
      const found = await enrollments(database.db).findActive(userId, subjectId);
      const took = performance.now() - start;
      if ((found !== undefined) !== granted) throw new Error('wrong response');
      return took;
    },
    async close() {
      await app.close();
      await unreachable.close();
      await database.close();
      await adminSql`drop database ${adminSql(name)} with (force)`;
    },
  };
}

function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
