// Signed-in reads and writes through the gateway, beside a bare Fastify that does the same work in one process, alone and
// behind a bare @fastify/http-proxy; in turns. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@lms/testing/servers';
import { compareLoads, type Measured, perSecond, type Way } from './harness/loads.ts';
import { untilConnected } from './harness/processes.ts';
import { medianRatio } from './harness/results.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { idOf, learners, seedBare, seedContent, seedEnrollment, topicsPerSubject } from './signed-in/seed.ts';

const seconds = setting('BENCH_SECONDS', 3);
const connections = (process.env.BENCH_CONNECTIONS ?? '1,8,32').split(',').map(Number);
const [throughputConnections, tailConnections] = [32, 8];
const only = new RegExp(process.env.BENCH_ONLY ?? '');

interface Case {
  name: string;
  /** The least shares of the requests a second of the bare process, and of the same behind a bare proxy. */
  target: { bare: number; proxied?: number };
  method?: string;
  /** How many learners send requests. */
  users: number;
  pathOf: (subjectId: string, topicId: string) => string;
  body?: object;
}

/** A lesson day: some learners, each in a few subjects. */
const readers = 20;
const subjectsEach = 5;
const cases: Case[] = [
  {
    name: 'topics of a subject, 48 KB',
    target: { bare: 0.6, proxied: 0.9 },
    users: readers,
    pathOf: (subjectId) => `/api/education/subjects/${subjectId}/topics?limit=100`,
  },
  {
    name: 'one topic',
    target: { bare: 0.6 },
    users: readers,
    pathOf: (_, topicId) => `/api/education/topics/${topicId}`,
  },
  { name: 'own enrollments', target: { bare: 0.6 }, users: readers, pathOf: () => '/api/enrollment' },
  {
    ...{ name: 'position', target: { bare: 0.5 }, method: 'PUT', users: learners },
    pathOf: (_, topicId) => `/api/learning/topics/${topicId}/position`,
    body: { positionSeconds: 300, durationSeconds: 600 },
  },
];

await runBench(async (bench) => {
  const { ways, tokens } = await prepare(bench);
  const requests = join(bench.directory, 'requests');
  for (const one of cases.filter(({ name }) => only.test(name))) {
    await writeFile(requests, linesOf(one, tokens));
    for (const count of connections) {
      console.log(`\n${one.name}, ${count} connection${count === 1 ? '' : 's'}`);
      const requested = ways.map((way) => ({ ...way, requests }));
      // A process that has served a few hundred requests is not yet compiled by V8.
      const warmUpSeconds = 3 * seconds;
      const results = await compareLoads(requested, setting('BENCH_ROUNDS', 3), count, seconds, warmUpSeconds);
      compare(one, count, results, bench);
    }
  }
});

/** As load.lua reads them. */
function linesOf({ method = 'GET', users, pathOf, body }: Case, tokens: string[]): string {
  const lines = Array.from({ length: 4_800 }, (_, index) => {
    const subject = Math.floor(index / users) % subjectsEach;
    const topicId = idOf('t', subject * topicsPerSubject + (index % topicsPerSubject));
    const path = pathOf(idOf('s', subject), topicId);
    return [method, path, tokens[index % users], body ? JSON.stringify(body) : ''].join('\t');
  });
  return `${lines.join('\n')}\n`;
}

function compare({ name, target }: Case, count: number, [ours = [], ...bases]: Measured[][], { check }: Bench) {
  const [bare = Number.NaN, proxied = Number.NaN] = bases.map((base) => medianRatio(ours, base, perSecond));
  console.log(`\nours / bare ${bare.toFixed(2)}, ours / bare behind http-proxy ${proxied.toFixed(2)}`);
  if (count === throughputConnections) {
    check(`${name}, of bare`, bare, { atLeast: target.bare });
    if (target.proxied) check(`${name}, of bare behind http-proxy`, proxied, { atLeast: target.proxied });
  }
  if (count !== tailConnections) return;
  // Pauses of the machine make the p99 of a round longer, never shorter.
  check(`${name}, p99 / p50`, Math.min(...ours.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)), { atMost: 3 });
}

async function prepare(bench: Bench) {
  const { openPostgres, startNats, startRedis, startOthers, startScript, startGateway, startService } = bench;
  const { pid: postgres, createDatabase } = await openPostgres();
  const [nats, redis] = [await startNats(), await startRedis()];
  const contentDatabase = await createDatabase('content', 'content');
  const enrollmentDatabase = await createDatabase('enrollment', 'enrollment');
  const bareDatabase = await createDatabase('bare');
  await seedContent(contentDatabase.sql);
  await seedEnrollment(enrollmentDatabase.sql);
  await seedBare(bareDatabase.sql);

  const provider = await startOthers();
  const [contentPort, enrollmentPort] = [String(await freePort()), String(await freePort())];
  const settings = {
    CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    ENROLLMENT_URL: `http://127.0.0.1:${enrollmentPort}`,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
  };
  const gateway = await startGateway(provider.url, settings);
  const startOurs = (name: string, port: string, databaseUrl: string) =>
    startService(name, provider.url, { ...settings, PUBLIC_URL: gateway.url, PORT: port, DATABASE_URL: databaseUrl });
  const content = await startOurs('content', contentPort, contentDatabase.url);
  const enrollment = await startOurs('enrollment', enrollmentPort, enrollmentDatabase.url);
  const PUBLIC_KEY = await (await fetch(`${provider.url}/pem`)).text();
  const bare = await startScript('bare', 'signed-in/bare.ts', { DATABASE_URL: bareDatabase.url, PUBLIC_KEY });
  const proxy = await startScript('proxy', 'harness/bare-proxy.ts', { UPSTREAM: bare.url });
  await untilConnected(gateway.url);

  const behind = { redis: redis.pid ?? 0, nats: nats.pid ?? 0, identity: provider.pid, postgres };
  const ours = { gateway: gateway.pid, content: content.pid, enrollment: enrollment.pid, ...behind };
  const proxied = { bare: bare.pid, proxy: proxy.pid, postgres };
  const ways: Way[] = [
    { name: 'ours', url: gateway.url, pids: ours },
    { name: 'bare', url: bare.url, pids: { bare: bare.pid, postgres } },
    { name: 'bare behind http-proxy', url: proxy.url, pids: proxied },
  ];
  const users = Array.from({ length: learners }, (_, user) => idOf('u', user));
  return { ways, tokens: await Promise.all(users.map(provider.tokenOf)) };
}
