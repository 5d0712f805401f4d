// Signed-in reads and writes through the gateway, beside a bare Fastify that does the same work in one process, alone and
// behind a bare @fastify/http-proxy; in turns. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { freePort, root, untilConnected } from './harness/processes.ts';
import { createTargets, printTable } from './harness/report.ts';
import { inTurns, median, medianRatio } from './harness/rounds.ts';
import { type Bench, runBench } from './harness/run-bench.ts';
import { usedBy } from './harness/usage.ts';
import { runWrk } from './harness/wrk.ts';
import { type Case, type Counters, cases } from './signed-in/cases.ts';
import { adminId, idOf, learners, seedBare, seedContent, seedEnrollment } from './signed-in/seed.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const connections = (process.env.BENCH_CONNECTIONS ?? '1,8,32').split(',').map(Number);
const [throughputConnections, tailConnections, mostTail] = [32, 8, 3];
const warmUpSeconds = 3 * seconds;
const only = new RegExp(process.env.BENCH_ONLY ?? '');
/** A folder for CPU profiles of content and enrollment. */
const profiles = process.env.BENCH_PROFILES;
const script = join(root, 'infra/bench/signed-in/load.lua');

interface Way {
  name: string;
  url: string;
  /** The processes of which the processor time is reported. */
  pids: Record<string, number>;
  /** What has been requested or approved before; the bare ways share a database. */
  counters: Counters;
}
interface Result {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
  cpuMs: Record<string, number>;
}

const targets = createTargets();

await runBench(async (bench) => {
  const { ways, tokens, profiled } = await prepare(bench);
  const file = join(bench.directory, 'requests');
  for (const one of cases.filter(({ name }) => only.test(name)))
    for (const count of connections) {
      const results = await inTurns(ways, rounds, (way, round) =>
        measure(one, count, way, { tokens, file, durationSeconds: round === 0 ? warmUpSeconds : seconds }),
      );
      report(one, count, ways, results);
    }
  targets.print();
  if (profiles) for (const pid of profiled) await bench.stop(pid);
});

interface Run {
  tokens: Map<string, string>;
  file: string;
  durationSeconds: number;
}

async function measure(one: Case, count: number, way: Way, { tokens, file, durationSeconds }: Run): Promise<Result> {
  const lines = one.requests(way.counters).map(({ method, path, userId, body }) => {
    const json = body === undefined ? '' : JSON.stringify(body);
    return [method, path, tokens.get(userId), json].join('\t');
  });
  await writeFile(file, `${lines.join('\n')}\n`);
  const options = [`-c${count}`, `-d${durationSeconds}s`, '-s', script, way.url, '--', file];
  const { value, used } = await usedBy(way.pids, () => runWrk(...options));
  if (one.counter) way.counters[one.counter] += value.requests + count;
  const perRequest = Object.entries(used).map(([name, cpu]) => [name, (cpu * 1_000) / value.requests] as const);
  return { ...value, cpuMs: Object.fromEntries(perRequest) };
}

function report({ name, target }: Case, count: number, ways: Way[], results: Result[][]) {
  const [ours = [], ...bases] = results;
  console.log(`\n${name}, ${count} connection${count === 1 ? '' : 's'}`);
  const rows = results.map((all, at) => {
    const of = (what: 'requestsPerSecond' | 'p50Ms' | 'p99Ms', digits: number) =>
      median(all, (one) => one[what]).toFixed(digits);
    const names = Object.keys(all[0]?.cpuMs ?? {});
    const cpu = names.map((process) => [process, median(all, ({ cpuMs }) => cpuMs[process] ?? 0)] as const);
    const total = cpu.reduce((sum, [, used]) => sum + used, 0);
    const parts = cpu.map(([process, used]) => `${process} ${used.toFixed(2)}`).join(', ');
    const failed = all.reduce((sum, one) => sum + one.failed, 0);
    const cells = [of('requestsPerSecond', 0), of('p50Ms', 2), of('p99Ms', 1), failed, `${total.toFixed(2)}: ${parts}`];
    return [ways[at]?.name ?? '', ...cells];
  });
  printTable(['', 'requests/s', 'p50 ms', 'p99 ms', 'failed', 'CPU ms a request'], rows);
  const [bare = Number.NaN, proxied = Number.NaN] = bases.map((base) =>
    medianRatio(ours, base, ({ requestsPerSecond }) => requestsPerSecond),
  );
  console.log(`\nours / bare ${bare.toFixed(2)}, ours / bare behind http-proxy ${proxied.toFixed(2)}`);
  if (count === throughputConnections && target) {
    targets.check(`${name}, of bare`, bare, { atLeast: target.bare });
    if (target.proxied) targets.check(`${name}, of bare behind http-proxy`, proxied, { atLeast: target.proxied });
  }
  if (count !== tailConnections) return;
  // Pauses of the machine make the p99 of a round longer, never shorter.
  const tail = Math.min(...ours.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms));
  targets.check(`${name}, p99 / p50`, tail, { atMost: mostTail });
}

async function prepare({ openPostgres, startNats, startRedis, startScript, startGateway, startService }: Bench) {
  // A server of its own, because the processor time of all its processes is measured.
  const { pid: postgres, createDatabase } = await openPostgres({ own: true });
  const [nats, redis] = [await startNats(), await startRedis()];
  const contentUrl = await createDatabase('content', { service: 'content', seed: seedContent });
  const enrollmentUrl = await createDatabase('enrollment', { service: 'enrollment', seed: seedEnrollment });
  const bareUrl = await createDatabase('bare', { seed: seedBare });

  const provider = await startScript('provider', 'harness/other-services.ts');
  const keys = createPassportKeys();
  const [contentPort, enrollmentPort] = [String(await freePort()), String(await freePort())];
  const settings = {
    CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    ENROLLMENT_URL: `http://127.0.0.1:${enrollmentPort}`,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    PASSPORT_PRIVATE_KEY: keys.privateKey,
    PASSPORT_PUBLIC_KEY: keys.publicKey,
  };
  const gateway = await startGateway(provider.url, settings);
  const options = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [];
  const own = { ...settings, PUBLIC_URL: gateway.url };
  const contentSettings = { ...own, PORT: contentPort, DATABASE_URL: contentUrl };
  const content = await startService('content', provider.url, contentSettings, options);
  const enrollmentSettings = { ...own, PORT: enrollmentPort, DATABASE_URL: enrollmentUrl };
  const enrollment = await startService('enrollment', provider.url, enrollmentSettings, options);
  const PUBLIC_KEY = await (await fetch(`${provider.url}/pem`)).text();
  const bare = await startScript('bare', 'signed-in/bare.ts', { DATABASE_URL: bareUrl, PUBLIC_KEY });
  const proxy = await startScript('proxy', 'gateway-load/bare-proxy.ts', { UPSTREAM: bare.url });

  const users = [adminId, ...Array.from({ length: learners }, (_, user) => idOf('u', user))];
  const tokenOf = async (user: string) => [user, await (await fetch(`${provider.url}/tokens/${user}`)).text()] as const;
  const tokens = new Map(await Promise.all(users.map(tokenOf)));
  await untilConnected(gateway.url, 'redis', 'nats', 'keys');

  const profiled = [content.pid, enrollment.pid];
  const behind = { redis: redis.pid ?? 0, nats: nats.pid ?? 0, identity: provider.pid, postgres };
  const ours = { gateway: gateway.pid, content: content.pid, enrollment: enrollment.pid, ...behind };
  const shared = { requested: 0, approved: 0, completed: 0 };
  const ways: Way[] = [
    { name: 'ours', url: gateway.url, pids: ours, counters: { ...shared } },
    { name: 'bare', url: bare.url, pids: { bare: bare.pid, postgres }, counters: shared },
    {
      ...{ name: 'bare behind http-proxy', url: proxy.url, counters: shared },
      pids: { bare: bare.pid, proxy: proxy.pid, postgres },
    },
  ];
  return { ways, tokens, profiled };
}
