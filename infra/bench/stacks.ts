// Compares the systems of two checkouts, of two commits for instance: the same signed-in reads, in turns. See README.md.
import { unwrap } from '@lms/client';
import { byName, type Cases, compare, load } from './harness/measure.ts';
import { runBench, setting } from './harness/run-bench.ts';

const seconds = setting('BENCH_SECONDS', 2);
const [before, after] = process.argv.slice(2);

await runBench(async ({ startLocalStack, check }) => {
  const cases: Cases = {};
  const names = new Set<string>();
  for (const [system, checkout] of Object.entries({ before, after })) {
    const { gateway: url, pidsOf, signInAs } = await startLocalStack({}, checkout);
    const { headers, client } = await signInAs('admin');
    const [topic] = await unwrap(client.GET('/api/admin/education/topics'));
    const pids = pidsOf('gateway', 'identity', 'content', 'media', 'enrollment', 'redis');
    const paths = {
      'topics of a subject': `/api/education/subjects/${topic?.subjectId}/topics`,
      'one topic': `/api/education/topics/${topic?.id}`,
      profile: '/api/auth/profile',
      'own enrollments': '/api/enrollment',
    };
    for (const [name, path] of Object.entries(paths)) {
      names.add(name);
      cases[`${name}, ${system}`] = () => load({ url, requests: [{ path, headers }], connections: 32, seconds, pids });
    }
  }
  const { ratio } = await compare(byName(cases), setting('BENCH_ROUNDS', 3));
  // As many as before, except for what differs between two runs of the same commit.
  for (const name of names)
    check(`${name}, after / before`, ratio(`${name}, after`, `${name}, before`, 'requests/s'), { atLeast: 0.95 });
});
