// Signed-in reads and writes through the gateway, beside a bare Fastify that does the same work in one process, alone and
// behind a bare @fastify/http-proxy; in turns. See README.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { migrateDatabase } from '@lms/database/migrate-database';
import { waitFor } from '@lms/testing/wait-for';
import { startNats, startPostgres, startRedis } from 'local/embedded';
import postgres, { type Sql } from 'postgres';
import { compile } from '../local/compile.mjs';
import {
  cpuSecondsOf,
  cpuSecondsOfFamily,
  createProcesses,
  freePort,
  root,
  untilReachable,
} from './gateway-load/processes.ts';
import { runWrk } from './gateway-load/wrk.ts';
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

/** The rows of the last table. */
const targets: string[] = [];
const directory = await mkdtemp(join(tmpdir(), 'signed-in-'));
const processes = createProcesses(directory);
const servers: { stop: () => Promise<void> }[] = [];
try {
  const { ways, tokens, postmaster, profiled } = await prepare();
  for (const one of cases.filter(({ name }) => only.test(name)))
    for (const count of connections) await compare(one, count, ways, tokens, postmaster);
  console.log(`\n| target | measured |\n| --- | --: |\n${targets.join('\n')}`);
  if (profiles) for (const pid of profiled) await processes.stop(pid);
} finally {
  await processes.end();
  for (const { stop } of servers) await stop();
  await rm(directory, { recursive: true, force: true });
}

async function compare(one: Case, count: number, ways: Way[], tokens: Map<string, string>, postmaster: number) {
  const results = new Map<string, Result[]>(ways.map(({ name }) => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const way of ways) {
      const result = await measure(one, count, way, tokens, postmaster, round === 0 ? warmUpSeconds : seconds);
      if (round > 0) results.get(way.name)?.push(result);
    }
  report(one, count, results);
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
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const bases = [...results.values()].slice(1);
  console.log(`\n${name}, ${count} connection${count === 1 ? '' : 's'}\n`);
  console.log('|  | requests/s | p50 ms | p99 ms | failed | CPU ms a request |\n| --- | --: | --: | --: | --: | --- |');
  for (const [way, all] of results) {
    const of = (what: 'requestsPerSecond' | 'p50Ms' | 'p99Ms') => median(all.map((one) => one[what]));
    const names = Object.keys(all[0]?.cpuMs ?? {});
    const cpu = names.map((process) => [process, median(all.map(({ cpuMs }) => cpuMs[process] ?? 0))] as const);
    const total = cpu.reduce((sum, [, used]) => sum + used, 0);
    const parts = cpu.map(([process, used]) => `${process} ${used.toFixed(2)}`).join(', ');
    const failed = all.reduce((sum, one) => sum + one.failed, 0);
    console.log(
      `| ${way} | ${of('requestsPerSecond').toFixed(0)} | ${of('p50Ms').toFixed(2)} | ${of('p99Ms').toFixed(1)} | ${failed} | ${total.toFixed(2)}: ${parts} |`,
    );
  }
  const ours = [...results.values()][0] ?? [];
  // Each round's own ratio, then their median: rounds that the machine was busy in count for both sides.
  const ratio = (base: Result[] = []) =>
    median(ours.map((one, round) => one.requestsPerSecond / (base[round]?.requestsPerSecond ?? 1)));
  const [bare, proxied] = [ratio(bases[0]), ratio(bases[1])];
  console.log(`\nours / bare ${bare.toFixed(2)}, ours / bare behind http-proxy ${proxied.toFixed(2)}`);
  if (count === throughputConnections && target) {
    check(`${name}, of bare (≥ ${target.bare})`, bare, bare >= target.bare);
    if (target.proxied)
      check(`${name}, of bare behind http-proxy (≥ ${target.proxied})`, proxied, proxied >= target.proxied);
  }
  if (count !== tailConnections) return;
  // Pauses of the machine make the p99 of a round longer, never shorter.
  const tail = Math.min(...ours.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms));
  check(`${name}, p99 / p50 (≤ ${mostTail})`, tail, tail <= mostTail);
}

function check(name: string, measured: number, isMet: boolean) {
  targets.push(`| ${name} | ${measured.toFixed(2)} |`);
  if (!isMet) process.exitCode = 1;
}

async function prepare() {
  await compile(root);
  // What a commit waits for belongs to the disk, not to what is compared.
  const server = await startPostgres({ directory: join(directory, 'postgres'), settings: { fsync: 'off' } });
  servers.push(server);
  const [nats, redis] = [
    await startNats({ directory: join(directory, 'nats') }),
    await startRedis({ directory: join(directory, 'redis') }),
  ];
  servers.push(nats, redis);
  const contentUrl = await createDatabase(server.url, 'content', seedContent);
  const enrollmentUrl = await createDatabase(server.url, 'enrollment', seedEnrollment);
  const bareUrl = await createDatabase(server.url, 'bare', seedBare);

  const names = ['provider', 'gateway', 'content', 'enrollment', 'bare', 'proxy'] as const;
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)));
  const at = (name: (typeof names)[number]) => `http://127.0.0.1:${ports.get(name)}`;
  const port = (name: (typeof names)[number]) => ({ PORT: String(ports.get(name)) });
  const provider = await processes.startNode('provider', '../signed-in/provider.ts', port('provider'));
  await untilReachable(`${at('provider')}/jwks`);

  const keys = createPassportKeys();
  const urls = { IDENTITY_URL: at('provider'), CONTENT_URL: at('content'), ENROLLMENT_URL: at('enrollment') };
  const common = { ...urls, NATS_URL: nats.url, LOG_LEVEL: 'warn' };
  const secret = { SERVICE_SECRET: 'a secret of at least 32 characters', MEDIA_URL: at('provider') };
  const service = { ...common, ...secret, PASSPORT_PUBLIC_KEY: keys.publicKey, PUBLIC_URL: at('gateway') };
  const options = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [];
  const startService = (name: 'content' | 'enrollment', url: string) =>
    processes.startCompiled(
      name,
      `services/${name}/dist/main.js`,
      { ...service, ...port(name), DATABASE_URL: url },
      options,
    );
  const content = await startService('content', contentUrl);
  const enrollment = await startService('enrollment', enrollmentUrl);
  const gateway = await processes.startCompiled('gateway', 'gateway/dist/main.js', {
    ...common,
    ...port('gateway'),
    MEDIA_URL: at('provider'),
    REDIS_URL: redis.url,
    PASSPORT_PRIVATE_KEY: keys.privateKey,
    IDP_ISSUER: at('provider'),
    IDP_JWKS_URL: `${at('provider')}/jwks`,
    RATE_LIMIT_GENERAL: '1000000000',
  });
  const PUBLIC_KEY = await (await fetch(`${at('provider')}/pem`)).text();
  const bareSettings = { ...port('bare'), DATABASE_URL: bareUrl, PUBLIC_KEY };
  const bare = await processes.startNode('bare', '../signed-in/bare.ts', bareSettings);
  const proxy = await processes.startNode('proxy', './bare-proxy.ts', { ...port('proxy'), UPSTREAM: at('bare') });

  const users = [adminId, ...Array.from({ length: learners }, (_, user) => idOf('u', user))];
  const tokenOf = async (user: string) =>
    [user, await (await fetch(`${at('provider')}/tokens/${user}`)).text()] as const;
  const tokens = new Map(await Promise.all(users.map(tokenOf)));
  for (const name of ['gateway', 'content', 'enrollment', 'bare', 'proxy'] as const)
    await untilReachable(`${at(name)}/api/education/levels`);
  await waitFor(
    async () => {
      const { checks } = Object(await (await fetch(`${at('gateway')}/readyz`)).json());
      return checks.redis === 'ok' && checks.nats === 'ok' && checks.keys === 'ok';
    },
    { timeoutMs: 30_000, until: 'the gateway is ready' },
  );

  const oursPids = { gateway, content, enrollment, redis: redis.pid ?? 0, nats: nats.pid ?? 0, identity: provider };
  const shared = { requested: 0, approved: 0, completed: 0 };
  const ways: Way[] = [
    { name: 'ours', url: at('gateway'), pids: oursPids, counters: { ...shared } },
    { name: 'bare', url: at('bare'), pids: { bare }, counters: shared },
    { name: 'bare behind http-proxy', url: at('proxy'), pids: { bare, proxy }, counters: shared },
  ];
  return { ways, tokens, postmaster: server.pid ?? 0, profiled: [content, enrollment] };
}

async function createDatabase(superuserUrl: string, name: string, seed: (sql: Sql) => Promise<void>): Promise<string> {
  const url = new URL(superuserUrl);
  url.pathname = `/${name}`;
  const administration = postgres(superuserUrl, { max: 1, onnotice: () => undefined });
  await administration`create database ${administration(name)}`;
  await administration.end();
  if (name !== 'bare') await migrateDatabase(url.href, join(root, `services/${name}/migrations`));
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  await seed(sql);
  await sql.end();
  return url.href;
}
