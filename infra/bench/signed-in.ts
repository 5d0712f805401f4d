// Signed-in reads and writes through the gateway, beside a bare Fastify that does the same work in one process, alone and
// behind a bare @fastify/http-proxy; in turns. See README.md.
import { createClient, unwrap } from '@lms/client';
import { load } from './harness/measure.ts';
import { type Bench, type Cases, compare, runBench, setting } from './harness/run-bench.ts';
import { idOf, seedContent, seedEnrollment, topicsPerSubject, twoKilobytes } from './harness/seed.ts';

const seconds = setting('BENCH_SECONDS', 3);
const topics = 10_000;
const learners = 200;
/** A lesson day: some learners, each in a few subjects. */
const [readers, subjectsEach] = [20, 5];

interface Case {
  name: string;
  /** The least shares of the requests a second of the bare process, and of the same behind a bare proxy. */
  least: { bare: number; proxied?: number };
  method?: string;
  /** How many learners send requests. */
  users: number;
  path: (subjectId: string, topicId: string) => string;
  body?: object;
}
const cases: Case[] = [
  {
    ...{ name: 'topics of a subject, 40 KB', least: { bare: 0.6, proxied: 0.9 }, users: readers },
    path: (subjectId) => `/api/education/subjects/${subjectId}/topics?limit=100`,
  },
  {
    ...{ name: 'one topic', least: { bare: 0.6 }, users: readers },
    path: (_, topicId) => `/api/education/topics/${topicId}`,
  },
  { name: 'own enrollments', least: { bare: 0.6 }, users: readers, path: () => '/api/enrollment' },
  {
    ...{ name: 'position', least: { bare: 0.5 }, method: 'PUT', users: learners },
    path: (_, topicId) => `/api/learning/topics/${topicId}/position`,
    body: { positionSeconds: 300, durationSeconds: 600 },
  },
];

await runBench(async (bench) => {
  const { systems, tokens } = await prepare(bench);
  const loads: Cases = {};
  for (const one of cases) {
    const requests = requestsOf(one, tokens);
    for (const connections of [8, 32])
      for (const [system, { url, pids }] of Object.entries(systems))
        loads[`${one.name}, ${connections}, ${system}`] = (round) =>
          // A process that has served a few hundred requests is not yet compiled by V8.
          load({ url, requests, connections, seconds: round === 0 ? 3 * seconds : seconds, pids });
  }
  const { ratio, values } = await compare(loads, setting('BENCH_ROUNDS', 3));
  for (const { name, least } of cases) {
    for (const [base, atLeast] of Object.entries(least))
      bench.check(`${name}, of ${base}`, ratio(`${name}, 32, ours`, `${name}, 32, ${base}`, 'requests/s'), { atLeast });
    // Pauses of the machine make the p99 of a round longer, never shorter.
    const p50s = values(`${name}, 8, ours`, 'p50 ms');
    const tails = values(`${name}, 8, ours`, 'p99 ms')?.map((p99, round) => p99 / (p50s?.[round] ?? Number.NaN));
    bench.check(`${name}, p99 / p50`, tails && Math.min(...tails), { atMost: 3 });
  }
});

function requestsOf({ users, path, ...request }: Case, tokens: string[]) {
  return Array.from({ length: 4_800 }, (_, index) => {
    const subject = Math.floor(index / users) % subjectsEach;
    const topicId = idOf('t', subject * topicsPerSubject + (index % topicsPerSubject));
    const headers = { authorization: `Bearer ${tokens[index % users]}` };
    return { ...request, path: path(idOf('s', subject), topicId), headers };
  });
}

async function prepare({ startLocalStack, startProvider, startScript }: Bench) {
  const provider = await startProvider();
  const stack = await startLocalStack({ SEED: 'false', ...provider.settings });
  const [content, enrollment] = [stack.open('content'), stack.open('enrollment')];
  // What a commit waits for belongs to the disk, not to what is measured.
  await content.sql`alter system set fsync = off`;
  await content.sql`select pg_reload_conf()`;
  const tokens = await Promise.all(Array.from({ length: learners }, (_, user) => provider.tokenOf(`learner${user}`)));
  const userIds = [];
  for (const token of tokens) {
    const { GET } = createClient({ baseUrl: stack.gateway, token: () => token });
    userIds.push((await unwrap(GET('/api/auth/profile'))).id);
  }
  await seedContent(content.sql, topics, twoKilobytes);
  await seedEnrollment(enrollment.sql, topics, userIds, 100);
  // The bare process finds users by it.
  await enrollment.sql`create index on people (email)`;

  const bare = await startScript('bare', 'servers/bare-service.ts', {
    ...{ CONTENT_URL: content.url, ENROLLMENT_URL: enrollment.url },
    PUBLIC_KEY: await (await fetch(`${provider.url}/pem`)).text(),
  });
  const proxy = await startScript('proxy', 'servers/bare.ts', { UPSTREAM: bare.url });
  const postgres = stack.pidsOf('postgres');
  const systems = {
    ours: { url: stack.gateway, pids: stack.pidsOf('gateway', 'content', 'enrollment', 'redis', 'nats', 'postgres') },
    bare: { url: bare.url, pids: { bare: bare.pid, ...postgres } },
    proxied: { url: proxy.url, pids: { bare: bare.pid, proxy: proxy.pid, ...postgres } },
  };
  return { systems, tokens };
}
