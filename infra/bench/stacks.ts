// Compares two running local stacks, of two commits for instance: the same signed-in reads, in turns. See README.md.
import { readFile } from 'node:fs/promises';
import { signIn } from './harness/local-stack.ts';
import { printTable } from './harness/report.ts';
import { inTurns, median, medianRatio } from './harness/rounds.ts';
import { usedBy } from './harness/usage.ts';
import { runWrk } from './harness/wrk.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const measured = ['gateway', 'identity', 'content', 'media', 'enrollment', 'redis'];

const stacks = await Promise.all(process.argv.slice(2).map(openStack));
const rows = [];
for (const name of Object.keys(stacks[0]?.paths ?? {})) {
  const results = await inTurns(stacks, rounds, (stack) => measure(stack, name));
  const [before = [], after = []] = results;
  const both = (read: (result: Result) => number, digits: number) =>
    results.map((of) => median(of, read).toFixed(digits)).join(' → ');
  rows.push([
    name,
    both(({ perSecond }) => perSecond, 0),
    medianRatio(after, before, ({ perSecond }) => perSecond).toFixed(2),
    both(({ gatewayMs }) => gatewayMs, 2),
    both(({ allMs }) => allMs, 2),
  ]);
}
printTable(['', 'requests/s', 'ratio', 'CPU ms a request, gateway', 'gateway, services and Redis'], rows);

/** @param file the `stack.json` of a running stack, in its DATA_DIR */
async function openStack(file: string) {
  const parts = JSON.parse(await readFile(file, 'utf8'));
  const token = await signIn(parts.identityProvider.url, 'admin@lms.test');
  const firstOf = async (path: string) => Object(await read(parts.gateway.url + path)).data[0].id;
  const level = await firstOf('/api/education/levels');
  const grade = await firstOf(`/api/education/levels/${level}/grades`);
  const subject = await firstOf(`/api/education/grades/${grade}/subjects`);
  const topic = await firstOf(`/api/education/subjects/${subject}/topics`);
  const pids = Object.fromEntries(measured.map((part) => [part, Number(parts[part].pid)]));
  const paths: Record<string, string> = {
    'topics of a subject': `/api/education/subjects/${subject}/topics`,
    'one topic': `/api/education/topics/${topic}`,
    profile: '/api/auth/profile',
    'own enrollments': '/api/enrollment',
  };
  return { url: parts.gateway.url, token, paths, pids };
}

async function read(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} from ${url}`);
  return response.json();
}

type Result = Awaited<ReturnType<typeof measure>>;

async function measure({ url, token, paths, pids }: Awaited<ReturnType<typeof openStack>>, name: string) {
  const header = `authorization: Bearer ${token}`;
  const { value, used } = await usedBy(pids, () => runWrk('-c32', `-d${seconds}s`, '-H', header, url + paths[name]));
  if (value.failed > 0) throw new Error(`${value.failed} requests failed: ${name}`);
  const allSeconds = Object.values(used).reduce((sum, one) => sum + one, 0);
  const msOf = (cpuSeconds = 0) => (cpuSeconds * 1_000) / value.requests;
  return { perSecond: value.requestsPerSecond, gatewayMs: msOf(used.gateway), allMs: msOf(allSeconds) };
}
