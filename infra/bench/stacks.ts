// Compares two running local stacks, of two commits for instance: the same signed-in reads, in turns. See README.md.
import { readFile } from 'node:fs/promises';
import { createClient, unwrap } from '@lms/client';
import { signIn } from 'local/running-stack';
import { compareLoads, perSecond, type Way } from './harness/loads.ts';
import { medianRatio, printTable } from './harness/results.ts';
import { setting } from './harness/run-bench.ts';

const measured = ['gateway', 'identity', 'content', 'media', 'enrollment', 'redis'];

const stacks = await Promise.all(process.argv.slice(2).map(openStack));
const ratios: string[][] = [];
for (const read of Object.keys(stacks[0] ?? {})) {
  const ways = stacks.flatMap((stack) => stack[read] ?? []);
  const [before, after] = await compareLoads(ways, setting('BENCH_ROUNDS', 3), 32, setting('BENCH_SECONDS', 2));
  ratios.push([read, medianRatio(after, before, perSecond).toFixed(2)]);
}
printTable(['', 'requests/s, the second stack / the first'], ratios);

/** The reads of a stack. @param file its `stack.json`, in its DATA_DIR */
async function openStack(file: string, at: number): Promise<Record<string, Way>> {
  const parts = JSON.parse(await readFile(file, 'utf8'));
  const gateway = String(parts.gateway.url);
  const token = await signIn(parts.identityProvider.url, 'admin@lms.test');
  const { GET } = createClient({ baseUrl: gateway, token: () => token });
  const within = (id = '') => ({ params: { path: { id } } });
  const [level] = await unwrap(GET('/api/education/levels'));
  const [grade] = await unwrap(GET('/api/education/levels/{id}/grades', within(level?.id)));
  const [subject] = await unwrap(GET('/api/education/grades/{id}/subjects', within(grade?.id)));
  const [topic] = await unwrap(GET('/api/education/subjects/{id}/topics', within(subject?.id)));
  const pids = Object.fromEntries(measured.map((part) => [part, Number(parts[part].pid)]));
  const paths = {
    'topics of a subject': `/education/subjects/${subject?.id}/topics`,
    'one topic': `/education/topics/${topic?.id}`,
    profile: '/auth/profile',
    'own enrollments': '/enrollment',
  };
  const toWay = (name: string, path: string): Way => ({
    ...{
      name: `${name}, stack ${at + 1}`,
      url: `${gateway}/api${path}`,
      headers: { authorization: `Bearer ${token}` },
      pids,
    },
  });
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, toWay(name, path)]));
}
