// Signed-in reads and writes through the gateway, beside a bare Fastify that does the same work in one process, alone and
// behind a bare @fastify/http-proxy; in turns. See README.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { testServiceSecret } from '@lms/testing/principals';
import { startNats, startRedis } from 'local/embedded';
import { openPostgres } from './harness/databases.ts';
import {
  cpuSecondsOf,
  cpuSecondsOfFamily,
  createProcesses,
  freePort,
  root,
  untilConnected,
  untilReachable,
} from './harness/processes.ts';
import { createTargets, printTable } from './harness/report.ts';
import { inTurns, median, medianRatio } from './harness/rounds.ts';
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
const directory = await mkdtemp(join(tmpdir(), 'signed-in-'));
const processes = createProcesses(directory);
const closing: (() => Promise<void>)[] = [];
try {
  const { ways, tokens, postmaster, profiled } = await prepare();
  for (const one of cases.filter(({ name }) => only.test(name)))
    for (const count of connections) await compare(one, count, ways, tokens, postmaster);
  targets.print();
  if (profiles) for (const pid of profiled) await processes.stop(pid);
} finally {
  await processes.end();
  for (const close of closing.toReversed()) await close();
  await rm(directory, { recursive: true, force: true });
}

async function compare(one: Case, count: number, ways: Way[], tokens: Map<string, string>, postmaster: number) {
  const results = await inTurns(ways, rounds, (way, round) =>
    measure(one, count, way, tokens, postmaster, round === 0 ? warmUpSeconds : seconds),
  );
  report(one, count, new Map(ways.map(({ name }, at) => [name, results[at] ?? []])));
}

async function measure(
  one: Case,
  count: number,
  way: Way,
  tokens: Map<string, string>,
  postmaster: number,
  durationSeconds: number,
) {
  const file = join(directory, 'requests');
  const lines = one.requests(way.counters).map(({ method, path, userId, body }) => {
    const json = body === undefined ? '' : JSON.stringify(body);
    return [method, path, tokens.get(userId), json].join('\t');
  });
  await writeFile(file, `${lines.join('\n')}\n`);
  const before = await usage(way, postmaster);
  const { requests, ...load } = await runWrk(`-c${count}`, `-d${durationSeconds}s`, '-s', script, way.url, '--', file);
  const after = await usage(way, postmaster);
  if (one.counter) way.counters[one.counter] += requests + count;
  const cpuMs = Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, ((used - (before[name] ?? 0)) * 1_000) / requests]),
  );
  return { ...load, cpuMs };
}

async function usage({ pids }: Way, postmaster: number): Promise<Record<string, number>> {
  const own = Object.entries(pids).map(async ([name, pid]) => [name, await cpuSecondsOf(pid)] as const);
  return { ...Object.fromEntries(await Promise.all(own)), postgres: await cpuSecondsOfFamily(postmaster) };
}

function report({ name, target }: Case, count: number, results: Map<string, Result[]>) {
  const [ours = [], ...bases] = [...results.values()];
  console.log(`\n${name}, ${count} connection${count === 1 ? '' : 's'}`);
  const rows = [...results].map(([way, all]) => {
    const of = (what: 'requestsPerSecond' | 'p50Ms' | 'p99Ms', digits: number) =>
      median(all, (one) => one[what]).toFixed(digits);
    const names = Object.keys(all[0]?.cpuMs ?? {});
    const cpu = names.map((process) => [process, median(all, ({ cpuMs }) => cpuMs[process] ?? 0)] as const);
    const total = cpu.reduce((sum, [, used]) => sum + used, 0);
    const parts = cpu.map(([process, used]) => `${process} ${used.toFixed(2)}`).join(', ');
    const failed = all.reduce((sum, one) => sum + one.failed, 0);
    return [way, of('requestsPerSecond', 0), of('p50Ms', 2), of('p99Ms', 1), failed, `${total.toFixed(2)}: ${parts}`];
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

async function prepare() {
  // A database of its own, because the processor time of all its processes is measured.
  const database = await openPostgres(directory, { own: true });
  const nats = await startNats({ directory: join(directory, 'nats') });
  const redis = await startRedis({ directory: join(directory, 'redis') });
  closing.push(database.close, nats.stop, redis.stop);
  const { createDatabase } = database;
  const contentUrl = await createDatabase('content', { service: 'content', seed: seedContent });
  const enrollmentUrl = await createDatabase('enrollment', { service: 'enrollment', seed: seedEnrollment });
  const bareUrl = await createDatabase('bare', { seed: seedBare });

  const provider = await processes.startNode('provider', 'harness/other-services.ts');
  const [contentPort, enrollmentPort] = [await freePort(), await freePort()];
  const urls = {
    CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    ENROLLMENT_URL: `http://127.0.0.1:${enrollmentPort}`,
    NATS_URL: nats.url,
  };
  const keys = createPassportKeys();
  const gateway = await processes.startGateway('gateway', provider.url, {
    ...urls,
    REDIS_URL: redis.url,
    PASSPORT_PRIVATE_KEY: keys.privateKey,
  });
  const startService = (name: 'content' | 'enrollment', port: number, url: string) =>
    processes.startCompiled(
      name,
      `services/${name}/dist/main.js`,
      {
        ...{ ...urls, IDENTITY_URL: provider.url, MEDIA_URL: provider.url, PUBLIC_URL: gateway.url, LOG_LEVEL: 'warn' },
        ...{ PORT: String(port), DATABASE_URL: url, PASSPORT_PUBLIC_KEY: keys.publicKey },
        SERVICE_SECRET: testServiceSecret,
      },
      profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [],
    );
  const content = await startService('content', contentPort, contentUrl);
  const enrollment = await startService('enrollment', enrollmentPort, enrollmentUrl);
  const PUBLIC_KEY = await (await fetch(`${provider.url}/pem`)).text();
  const bare = await processes.startNode('bare', 'signed-in/bare.ts', { DATABASE_URL: bareUrl, PUBLIC_KEY });
  const proxy = await processes.startNode('proxy', 'gateway-load/bare-proxy.ts', { UPSTREAM: bare.url });

  const users = [adminId, ...Array.from({ length: learners }, (_, user) => idOf('u', user))];
  const tokenOf = async (user: string) => [user, await (await fetch(`${provider.url}/tokens/${user}`)).text()] as const;
  const tokens = new Map(await Promise.all(users.map(tokenOf)));
  for (const url of [urls.CONTENT_URL, urls.ENROLLMENT_URL]) await untilReachable(`${url}/api/education/levels`);
  await untilConnected(gateway.url, 'redis', 'nats', 'keys');

  const behind = { redis: redis.pid ?? 0, nats: nats.pid ?? 0, identity: provider.pid };
  const oursPids = { gateway: gateway.pid, content, enrollment, ...behind };
  const shared = { requested: 0, approved: 0, completed: 0 };
  const ways: Way[] = [
    { name: 'ours', url: gateway.url, pids: oursPids, counters: { ...shared } },
    { name: 'bare', url: bare.url, pids: { bare: bare.pid }, counters: shared },
    {
      ...{ name: 'bare behind http-proxy', url: proxy.url, counters: shared },
      pids: { bare: bare.pid, proxy: proxy.pid },
    },
  ];
  return { ways, tokens, postmaster: database.pid, profiled: [content, enrollment] };
}
