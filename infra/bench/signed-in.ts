// Signed-in reads and writes through the gateway, beside a bare Fastify that does the same work in one process, alone and
// behind a bare @fastify/http-proxy; in turns. See README.md.
import { createClient, unwrap } from '@lms/client';
import { type Cases, compare, load, quantile, type Request } from './harness/measure.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { idOf, seedContent, seedEnrollment, topicsPerSubject, twoKilobytes } from './harness/seed.ts';
import { openUpstream } from './harness/upstream.ts';

const seconds = setting('BENCH_SECONDS', 3);
const topics = 10_000;
const learners = 200;
/** A lesson day: some learners, each in a few subjects. All of them report their positions. */
const [readers, subjectsEach] = [20, 5];

interface Case {
  /** The least shares of the requests a second of the bare process, and of the same behind a bare proxy. */
  least: { bare: number; proxied?: number };
  request: (subjectId: string, topicId: string) => Request;
}
const cases: Record<string, Case> = {
  'topics of a subject, 40 KB': {
    least: { bare: 0.6, proxied: 0.9 },
    request: (subjectId) => ({ path: `/api/education/subjects/${subjectId}/topics?limit=100` }),
  },
  'one topic': { least: { bare: 0.6 }, request: (_, topicId) => ({ path: `/api/education/topics/${topicId}` }) },
  'own enrollments': { least: { bare: 0.6 }, request: () => ({ path: '/api/enrollment' }) },
  position: {
    least: { bare: 0.5 },
    request: (_, topicId) => ({
      ...{ method: 'PUT', path: `/api/learning/topics/${topicId}/position` },
      body: { positionSeconds: 300, durationSeconds: 600 },
    }),
  },
};

await runBench(async ({ stops, startLocalStack, startBare, check }) => {
  const provider = await openUpstream(stops);
  const stack = await startLocalStack({ SEED: 'false', ...provider.settings });
  const [content, enrollment] = [stack.open('content'), stack.open('enrollment')];
  // What a commit waits for belongs to the disk, not to what is measured.
  await content`alter system set fsync = off`;
  await content`select pg_reload_conf()`;
  const tokens = Array.from({ length: learners }, (_, user) => provider.tokenOf(`learner${user}`));
  const readProfile = (token: string) =>
    unwrap(createClient({ baseUrl: stack.gateway, token: () => token }).GET('/api/auth/profile'));
  const userIds = (await Promise.all(tokens.map(readProfile))).map(({ id }) => id);
  await seedContent(content, topics, twoKilobytes);
  await seedEnrollment(enrollment, topics, userIds, 100);
  // The bare process finds users by it.
  await enrollment`create index on people (email)`;

  const bare = await startBare('bare', {
    ...{ CONTENT_URL: stack.databaseUrlOf('content'), ENROLLMENT_URL: stack.databaseUrlOf('enrollment') },
    PUBLIC_KEY: provider.publicKey,
  });
  const proxy = await startBare('proxy', { UPSTREAM: bare.url });
  const postgres = stack.pidsOf('postgres');
  const systems = {
    ours: { url: stack.gateway, pids: stack.pidsOf('gateway', 'content', 'enrollment', 'redis', 'nats', 'postgres') },
    bare: { url: bare.url, pids: { bare: bare.pid, ...postgres } },
    proxied: { url: proxy.url, pids: { bare: bare.pid, proxy: proxy.pid, ...postgres } },
  };

  const loads: Cases = {};
  for (const [name, { request }] of Object.entries(cases)) {
    const users = name === 'position' ? learners : readers;
    const requests = Array.from({ length: 4_800 }, (_, index) => {
      const subject = Math.floor(index / users) % subjectsEach;
      const topicId = idOf('t', subject * topicsPerSubject + (index % topicsPerSubject));
      const headers = { authorization: `Bearer ${tokens[index % users]}` };
      return { ...request(idOf('s', subject), topicId), headers };
    });
    for (const connections of [8, 32])
      for (const [system, { url, pids }] of Object.entries(systems))
        loads[`${name}, ${connections}, ${system}`] = (round) =>
          // A process that has served a few hundred requests is not yet compiled by V8.
          load({ url, requests, connections, seconds: round === 0 ? 3 * seconds : seconds, pids });
  }
  const { ratio, values } = await compare(loads, setting('BENCH_ROUNDS', 3));
  for (const [name, { least }] of Object.entries(cases)) {
    for (const [base, atLeast] of Object.entries(least))
      check(`${name}, of ${base}`, ratio(`${name}, 32, ours`, `${name}, 32, ${base}`, 'requests/s'), { atLeast });
    const p50s = values(`${name}, 8, ours`, 'p50 ms');
    const tails = values(`${name}, 8, ours`, 'p99 ms').map((p99, round) => p99 / (p50s[round] ?? Number.NaN));
    // Pauses of the machine make the p99 of a round longer, never shorter.
    check(`${name}, p99 / p50`, quantile(tails, 0), { atMost: 3 });
  }
});
