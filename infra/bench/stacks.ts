// Compares two running local stacks, of two commits for instance: the same signed-in reads, in turns. See README.md.
import { readFile } from 'node:fs/promises';
import { signIn } from 'local/running-stack';
import { compareLoads, perSecond, type Way } from './harness/loads.ts';
import { readData } from './harness/local-stack.ts';
import { printTable } from './harness/report.ts';
import { medianRatio } from './harness/rounds.ts';
import { setting } from './harness/run-bench.ts';

const measured = ['gateway', 'identity', 'content', 'media', 'enrollment', 'redis'];

const stacks = await Promise.all(process.argv.slice(2).map(openStack));
const ratios: string[][] = [];
for (const read of Object.keys(stacks[0] ?? {})) {
  const ways = stacks.flatMap((stack) => stack[read] ?? []);
  const [before = [], after = []] = await compareLoads(
    ways,
    setting('BENCH_ROUNDS', 3),
    32,
    setting('BENCH_SECONDS', 2),
  );
  ratios.push([read, medianRatio(after, before, perSecond).toFixed(2)]);
}
printTable(['', 'requests/s, the second stack / the first'], ratios);

/** The reads of a stack. @param file its `stack.json`, in its DATA_DIR */
async function openStack(file: string, at: number): Promise<Record<string, Way>> {
  const parts = JSON.parse(await readFile(file, 'utf8'));
  const gateway = String(parts.gateway.url);
  const headers = { authorization: `Bearer ${await signIn(parts.identityProvider.url, 'admin@lms.test')}` };
  const firstOf = async (path: string) => Object(await readData(gateway, path))[0].id;
  const level = await firstOf('/education/levels');
  const grade = await firstOf(`/education/levels/${level}/grades`);
  const subject = await firstOf(`/education/grades/${grade}/subjects`);
  const topic = await firstOf(`/education/subjects/${subject}/topics`);
  const pids = Object.fromEntries(measured.map((part) => [part, Number(parts[part].pid)]));
  const paths = {
    'topics of a subject': `/education/subjects/${subject}/topics`,
    'one topic': `/education/topics/${topic}`,
    profile: '/auth/profile',
    'own enrollments': '/enrollment',
  };
  const toWay = (name: string, path: string): Way => ({
    ...{ name: `${name}, stack ${at + 1}`, url: `${gateway}/api${path}`, headers, pids },
  });
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, toWay(name, path)]));
}
