// Compares two running local stacks, of two commits for instance: the same signed-in reads, in turns. See README.md.
import { readFile } from 'node:fs/promises';
import { cpuSecondsOf } from './gateway-load/processes.ts';
import { runWrk } from './gateway-load/wrk.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const measured = ['gateway', 'identity', 'content', 'media', 'enrollment', 'redis'];

const stacks = await Promise.all(process.argv.slice(2).map(openStack));
console.log('|  | requests/s | ratio | CPU ms a request, gateway | gateway, services and Redis |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const name of Object.keys(stacks[0]?.paths ?? {})) {
  const results = stacks.map((): Awaited<ReturnType<typeof measure>>[] => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, stack] of stacks.entries()) {
      const result = await measure(stack, name);
      if (round > 0) results[at]?.push(result);
    }
  const [before = [], after = []] = results;
  const ratio = median(after.map(({ perSecond }, round) => perSecond / (before[round]?.perSecond ?? 1)));
  const both = (read: (result: Awaited<ReturnType<typeof measure>>) => number, digits: number) =>
    results.map((rows) => median(rows.map(read)).toFixed(digits)).join(' → ');
  const cells = [both(({ perSecond }) => perSecond, 0), ratio.toFixed(2)];
  cells.push(
    both(({ gatewayMs }) => gatewayMs, 2),
    both(({ allMs }) => allMs, 2),
  );
  console.log(`| ${[name, ...cells].join(' | ')} |`);
}

/** @param file the `stack.json` of a running stack, in its DATA_DIR */
async function openStack(file: string) {
  const parts = JSON.parse(await readFile(file, 'utf8'));
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: 'lms-local',
    username: 'admin@lms.test',
    password: 'password',
  });
  const { access_token: token } = Object(await read(`${parts.identityProvider.url}/token`, { method: 'POST', body }));
  const firstOf = async (path: string) => Object(await read(parts.gateway.url + path)).data[0].id;
  const level = await firstOf('/api/education/levels');
  const grade = await firstOf(`/api/education/levels/${level}/grades`);
  const subject = await firstOf(`/api/education/grades/${grade}/subjects`);
  const topic = await firstOf(`/api/education/subjects/${subject}/topics`);
  const paths: Record<string, string> = {
    'topics of a subject': `/api/education/subjects/${subject}/topics`,
    'one topic': `/api/education/topics/${topic}`,
    profile: '/api/auth/profile',
    'own enrollments': '/api/enrollment',
  };
  return { url: parts.gateway.url, token, paths, pids: measured.map((part) => Number(parts[part].pid)) };
}

async function read(url: string, options: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${response.status} from ${url}`);
  return response.json();
}

async function measure({ url, token, paths, pids }: Awaited<ReturnType<typeof openStack>>, name: string) {
  const before = await Promise.all(pids.map(cpuSecondsOf));
  const header = `authorization: Bearer ${token}`;
  const { requests, requestsPerSecond, failed } = await runWrk(
    '-c32',
    `-d${seconds}s`,
    '-H',
    header,
    url + paths[name],
  );
  const after = await Promise.all(pids.map(cpuSecondsOf));
  if (failed > 0) throw new Error(`${failed} requests failed: ${name}`);
  const used = after.map((cpuSeconds, at) => ((cpuSeconds - (before[at] ?? 0)) * 1_000) / requests);
  return { perSecond: requestsPerSecond, gatewayMs: used[0] ?? 0, allMs: used.reduce((sum, ms) => sum + ms, 0) };
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
