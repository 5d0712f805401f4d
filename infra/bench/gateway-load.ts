// The gateway beside nginx and a bare @fastify/http-proxy, in turns, before the same upstream. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxConfig } from './gateway-load/nginx-config.ts';
import { growthUnderSlowReaders } from './gateway-load/slow-reader.ts';
import { freePort, type Started, untilConnected, untilReachable } from './harness/processes.ts';
import { createTargets, printTable } from './harness/report.ts';
import { inTurns, median, medianRatio } from './harness/rounds.ts';
import { type Bench, runBench } from './harness/run-bench.ts';
import { type Load, load, type Measured } from './harness/wrk.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const only = new RegExp(process.env.BENCH_ONLY ?? '');

await runBench(async (bench) => {
  const { cases, stream } = await prepare(bench);
  const names = Object.keys(cases).filter((name) => only.test(name));
  const loads = names.flatMap((name) => cases[name] ?? []);
  const results = await inTurns(loads, rounds, (one) => load(one, seconds));
  const growthMiB = await growthUnderSlowReaders(stream.url, stream.headers, stream.pid);
  report(new Map(names.map((name, at) => [name, results[at] ?? []])), growthMiB);
});

async function prepare({ directory, start, startScript, startGateway, startNats, startRedis }: Bench) {
  const upstream = await startScript('upstream', 'harness/other-services.ts');
  const bare = await startScript('bare', 'gateway-load/bare-proxy.ts', { UPSTREAM: upstream.url });
  const nginxPort = await freePort();
  const config = join(directory, 'nginx.conf');
  await writeFile(config, nginxConfig(directory, nginxPort, Number(new URL(upstream.url).port)));
  const nginx = {
    url: `http://127.0.0.1:${nginxPort}`,
    pid: await start('nginx', 'nginx', ['-c', config, '-e', join(directory, 'error.log')]),
  };
  const urls = { NATS_URL: (await startNats()).url, REDIS_URL: (await startRedis()).url };
  const startOurs = async (settings: Record<string, string>) => {
    const gateway = await startGateway(upstream.url, { ...urls, ...settings });
    await untilConnected(gateway.url, 'redis', 'nats', 'keys');
    return gateway;
  };
  const gateway = await startOurs({});
  // Neither nginx nor the bare proxy writes a line for each request; one of ours shows what that costs.
  const logging = await startOurs({ LOG_LEVEL: 'info' });
  const flooded = await startOurs({ RATE_LIMIT_GENERAL: '1' });
  await untilReachable(nginx.url);

  const levels = '/api/education/levels';
  const headers = {
    authorization: `Bearer ${await (await fetch(`${upstream.url}/tokens/uz4a98xxat96iws9zmbrgj3a`)).text()}`,
  };
  const cached = await fetch(gateway.url + levels);
  await fetch(flooded.url + levels);
  const copy = await startScript('copy', 'gateway-load/bare-fastify.ts', {
    READ: gateway.url + levels,
    REFUSAL: flooded.url + levels,
  });
  const get = ({ url, pid }: Started, path: string, sent: Record<string, string> = {}): Load => ({
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
