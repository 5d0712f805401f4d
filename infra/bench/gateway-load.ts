// The gateway beside nginx and a bare @fastify/http-proxy, in turns, before the same upstream. See README.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, startRedis } from 'local/embedded';
import { nginxConfig } from './gateway-load/nginx-config.ts';
import { growthUnderSlowReaders } from './gateway-load/slow-reader.ts';
import { createProcesses, freePort, untilConnected, untilReachable } from './harness/processes.ts';
import { createTargets, printTable } from './harness/report.ts';
import { inTurns, median, medianRatio } from './harness/rounds.ts';
import { type Load, load, type Measured } from './harness/wrk.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const only = new RegExp(process.env.BENCH_ONLY ?? '');

const directory = await mkdtemp(join(tmpdir(), 'gateway-load-'));
const processes = createProcesses(directory);
const servers = [
  await startNats({ directory: join(directory, 'nats') }),
  await startRedis({ directory: join(directory, 'redis') }),
] as const;
try {
  const { cases, stream } = await prepare();
  const names = Object.keys(cases).filter((name) => only.test(name));
  const results = await inTurns(
    names.flatMap((name) => cases[name] ?? []),
    rounds,
    (one) => load(one, seconds),
  );
  report(
    new Map(names.map((name, at) => [name, results[at] ?? []])),
    await growthUnderSlowReaders(stream.url, stream.headers, stream.pid),
  );
} finally {
  await processes.end();
  for (const { stop } of servers) await stop();
  await rm(directory, { recursive: true, force: true });
}

async function prepare() {
  const upstream = await processes.startNode('upstream', 'harness/other-services.ts');
  const bare = await processes.startNode('bare', 'gateway-load/bare-proxy.ts', { UPSTREAM: upstream.url });
  const nginxPort = await freePort();
  const config = join(directory, 'nginx.conf');
  await writeFile(config, nginxConfig(directory, nginxPort, Number(new URL(upstream.url).port)));
  const nginx = {
    url: `http://127.0.0.1:${nginxPort}`,
    pid: await processes.start('nginx', 'nginx', ['-c', config, '-e', join(directory, 'error.log')]),
  };
  const [nats, redis] = servers;
  const start = async (name: string, settings: Record<string, string>) => {
    const urls = { NATS_URL: nats.url, REDIS_URL: redis.url };
    const gateway = await processes.startGateway(name, upstream.url, { ...urls, ...settings });
    await untilConnected(gateway.url, 'redis', 'nats', 'keys');
    return gateway;
  };
  const gateway = await start('gateway', {});
  // Neither nginx nor the bare proxy writes a line for each request; one of ours shows what that costs.
  const logging = await start('logging', { LOG_LEVEL: 'info' });
  const flooded = await start('flooded', { RATE_LIMIT_GENERAL: '1' });
  await untilReachable(nginx.url);

  const levels = '/api/education/levels';
  const headers = {
    authorization: `Bearer ${await (await fetch(`${upstream.url}/tokens/uz4a98xxat96iws9zmbrgj3a`)).text()}`,
  };
  const cached = await fetch(gateway.url + levels);
  await fetch(flooded.url + levels);
  const copy = await processes.startNode('copy', 'gateway-load/bare-fastify.ts', {
    READ: gateway.url + levels,
    REFUSAL: flooded.url + levels,
  });
  const get = ({ url, pid }: { url: string; pid: number }, path: string, sent: Record<string, string> = {}): Load => ({
    ...{ url: url + path, pid, headers: sent },
  });
  const cases: Record<string, Load> = {
    'nginx, proxying': get(nginx, levels),
    'bare @fastify/http-proxy': get(bare, levels),
    'ours, without a token': get(gateway, '/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video'),
    'ours, token + limits + quota': get(gateway, '/api/enrollment', headers),
    'the same, with its log': get(logging, '/api/enrollment', headers),
    'bare Fastify, the same read': get(copy, '/read'),
    'ours, cached public read': get(gateway, levels),
    'ours, 304': get(gateway, levels, { 'if-none-match': cached.headers.get('etag') ?? '' }),
    'bare Fastify, the same 429': get(copy, '/refusal'),
    'ours, 429 flood': get(flooded, levels),
  };
  return { cases, stream: { ...gateway, url: `${gateway.url}/api/s3/document/stream?key=k`, headers } };
}

function report(results: Map<string, Measured[]>, growthMiB: number) {
  const rows = [...results].map(([name, all]) => {
    const of = (what: keyof Measured, digits: number) => median(all, (one) => one[what]).toFixed(digits);
    const failed = name.includes('429') ? 0 : all.reduce((sum, one) => sum + one.failed, 0);
    return [name, of('requestsPerSecond', 0), of('cpuMicrosPerRequest', 0), of('p99Ms', 1), failed];
  });
  printTable(['', 'requests/s', 'CPU µs a request', 'p99 ms', 'failed'], rows);

  const targets = createTargets();
  const compare = (name: string, one: string, base: string, atLeast: number) => {
    const [ours, theirs] = [results.get(one), results.get(base)];
    if (ours && theirs)
      targets.check(
        name,
        medianRatio(ours, theirs, (result) => result.requestsPerSecond),
        { atLeast },
      );
  };
  compare('full path / bare http-proxy', 'ours, token + limits + quota', 'bare @fastify/http-proxy', 0.75);
  compare('cached public read / nginx', 'ours, cached public read', 'nginx, proxying', 1.2);
  compare('429 flood / nginx', 'ours, 429 flood', 'nginx, proxying', 1.2);
  targets.check('growth under slow readers, MiB', growthMiB, { atMost: 8 });
  targets.print();
}
