// Signed-in reads and writes through the gateway, beside a bare Fastify that does the same work in one process, alone and
// behind a bare @fastify/http-proxy; in turns. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load, type Measured, perSecond, printLoads, type Way } from './harness/loads.ts';
import { freePort, untilConnected } from './harness/processes.ts';
import { inTurns, medianRatio } from './harness/rounds.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { type Case, type Counters, cases } from './signed-in/cases.ts';
import { adminId, idOf, learners, seedBare, seedContent, seedEnrollment } from './signed-in/seed.ts';

const seconds = setting('BENCH_SECONDS', 3);
const connections = (process.env.BENCH_CONNECTIONS ?? '1,8,32').split(',').map(Number);
const [throughputConnections, tailConnections] = [32, 8];
const warmUpSeconds = 3 * seconds;
const only = new RegExp(process.env.BENCH_ONLY ?? '');
/** A folder for CPU profiles of content and enrollment. */
const profiles = process.env.BENCH_PROFILES;

interface CountingWay extends Way {
  /** What has been requested or approved before; the bare ways share a database. */
  counters: Counters;
}

await runBench(async (bench) => {
  const { ways, tokens, profiled } = await prepare(bench);
  const file = join(bench.directory, 'requests');
  for (const one of cases.filter(({ name }) => only.test(name)))
    for (const count of connections) {
      const results = await inTurns(ways, setting('BENCH_ROUNDS', 3), async (way, round) => {
        await writeFile(file, linesOf(one, way.counters, tokens));
        const measured = await load({ ...way, requests: file }, count, round === 0 ? warmUpSeconds : seconds);
        if (one.counter) way.counters[one.counter] += measured.requests + count;
        return measured;
      });
      console.log(`\n${one.name}, ${count} connection${count === 1 ? '' : 's'}`);
      printLoads(ways, results);
      compare(one, count, results, bench);
    }
  if (profiles) for (const pid of profiled) await bench.stop(pid);
});

/** As load.lua reads them. */
function linesOf({ requests }: Case, counters: Counters, tokens: Map<string, string>): string {
  const lines = requests(counters).map(({ method, path, userId, body }) =>
    [method, path, tokens.get(userId), body === undefined ? '' : JSON.stringify(body)].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}

function compare({ name, target }: Case, count: number, [ours = [], ...bases]: Measured[][], { check }: Bench) {
  const [bare = Number.NaN, proxied = Number.NaN] = bases.map((base) => medianRatio(ours, base, perSecond));
  console.log(`\nours / bare ${bare.toFixed(2)}, ours / bare behind http-proxy ${proxied.toFixed(2)}`);
  if (count === throughputConnections && target) {
    check(`${name}, of bare`, bare, { atLeast: target.bare });
    if (target.proxied) check(`${name}, of bare behind http-proxy`, proxied, { atLeast: target.proxied });
  }
  if (count !== tailConnections) return;
  // Pauses of the machine make the p99 of a round longer, never shorter.
  check(`${name}, p99 / p50`, Math.min(...ours.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)), { atMost: 3 });
}

async function prepare(bench: Bench) {
  const { openPostgres, startNats, startRedis, startOthers, startScript, startGateway, startService } = bench;
  // A server of its own, because the processor time of all its processes is measured.
  const { pid: postgres, createDatabase } = await openPostgres({ own: true });
  const [nats, redis] = [await startNats(), await startRedis()];
  const contentUrl = await createDatabase('content', { service: 'content', seed: seedContent });
  const enrollmentUrl = await createDatabase('enrollment', { service: 'enrollment', seed: seedEnrollment });
  const bareUrl = await createDatabase('bare', { seed: seedBare });

  const provider = await startOthers();
  const [contentPort, enrollmentPort] = [String(await freePort()), String(await freePort())];
  const settings = {
    CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    ENROLLMENT_URL: `http://127.0.0.1:${enrollmentPort}`,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
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
  const proxy = await startScript('proxy', 'harness/bare-proxy.ts', { UPSTREAM: bare.url });

  const users = [adminId, ...Array.from({ length: learners }, (_, user) => idOf('u', user))];
  const tokens = new Map(await Promise.all(users.map(async (user) => [user, await provider.tokenOf(user)] as const)));
  await untilConnected(gateway.url, 'redis', 'nats', 'keys');

  const profiled = [content.pid, enrollment.pid];
  const behind = { redis: redis.pid ?? 0, nats: nats.pid ?? 0, identity: provider.pid, postgres };
  const ours = { gateway: gateway.pid, content: content.pid, enrollment: enrollment.pid, ...behind };
  const shared = { requested: 0, approved: 0, completed: 0 };
  const ways: CountingWay[] = [
    { name: 'ours', url: gateway.url, pids: ours, counters: { ...shared } },
    { name: 'bare', url: bare.url, pids: { bare: bare.pid, postgres }, counters: shared },
    {
      ...{ name: 'bare behind http-proxy', url: proxy.url, counters: shared },
      pids: { bare: bare.pid, proxy: proxy.pid, postgres },
    },
  ];
  return { ways, tokens, profiled };
}
