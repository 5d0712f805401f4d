// The gateway beside nginx and a bare @fastify/http-proxy, in turns, before the same upstream. See README.md.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { waitFor } from '@lms/testing/wait-for';
import { nginxConfig } from './gateway-load/nginx-config.ts';
import { createProcesses, freePort, untilReachable } from './gateway-load/processes.ts';
import { growthUnderSlowReaders } from './gateway-load/slow-reader.ts';
import { type Load, load, type Measured } from './gateway-load/wrk.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);

const directory = await mkdtemp(join(tmpdir(), 'gateway-load-'));
const processes = createProcesses(directory);
try {
  const cases = await prepare();
  const results = new Map<string, Measured[]>();
  for (const [name, one] of Object.entries(cases.loads)) {
    await load(one, seconds);
    results.set(name, []);
  }
  for (let round = 0; round < rounds; round += 1)
    for (const [name, one] of Object.entries(cases.loads)) results.get(name)?.push(await load(one, seconds));
  const growthMiB = await growthUnderSlowReaders(cases.stream.url, cases.stream.headers, cases.stream.pid);
  process.exitCode = report(results, growthMiB) ? 0 : 1;
} finally {
  await processes.end();
  await rm(directory, { recursive: true, force: true });
}

async function prepare() {
  const [upstreamPort, nginxPort, barePort, gatewayPort, loggingPort, floodPort, redisPort, natsPort] =
    await Promise.all(Array.from({ length: 8 }, freePort));
  const at = (port: number | undefined) => `http://127.0.0.1:${port}`;
  await processes.startNode('upstream', './upstream.ts', { PORT: String(upstreamPort) });
  await processes.start('redis', 'redis-server', [
    '--port',
    String(redisPort),
    '--dir',
    directory,
    '--appendonly',
    'yes',
    '--save',
    '',
  ]);
  await processes.start('nats', 'nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)]);
  await writeFile(`${directory}/nginx.conf`, nginxConfig(directory, Number(nginxPort), Number(upstreamPort)));
  const nginx = await processes.start('nginx', 'nginx', [
    '-c',
    `${directory}/nginx.conf`,
    '-e',
    `${directory}/error.log`,
  ]);
  const bare = await processes.startNode('bare', './bare-proxy.ts', {
    PORT: String(barePort),
    UPSTREAM: at(upstreamPort),
  });
  const settings = {
    IDENTITY_URL: at(upstreamPort),
    CONTENT_URL: at(upstreamPort),
    MEDIA_URL: at(upstreamPort),
    ENROLLMENT_URL: at(upstreamPort),
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    PASSPORT_PRIVATE_KEY: createPassportKeys().privateKey,
    IDP_ISSUER: at(upstreamPort),
    IDP_JWKS_URL: `${at(upstreamPort)}/jwks`,
  };
  // Neither nginx nor the bare proxy writes a line for each request; one of ours shows what that costs.
  const start = (name: string, port: number | undefined, own: Record<string, string>) =>
    processes.startGateway(name, { ...settings, LOG_LEVEL: 'warn', ...own, PORT: String(port) });
  const open = { RATE_LIMIT_GENERAL: '1000000000' };
  const gateway = await start('gateway', gatewayPort, open);
  const logging = await start('logging', loggingPort, { ...open, LOG_LEVEL: 'info' });
  const flooded = await start('flooded', floodPort, { RATE_LIMIT_GENERAL: '1' });

  const levels = '/api/education/levels';
  for (const port of [upstreamPort, nginxPort, barePort, gatewayPort, loggingPort, floodPort])
    await untilReachable(at(port) + levels);
  for (const port of [gatewayPort, loggingPort, floodPort])
    await waitFor(async () => {
      const { checks } = Object(await (await fetch(`${at(port)}/readyz`)).json());
      return checks.redis === 'ok' && checks.nats === 'ok' && checks.keys === 'ok';
    });
  await fetch(at(floodPort) + levels);
  const authorization = `Bearer ${await (await fetch(`${at(upstreamPort)}/token`)).text()}`;
  const { headers } = await fetch(at(gatewayPort) + levels);
  const loads: Record<string, Load> = {
    'nginx, proxying': { url: at(nginxPort) + levels, pid: nginx },
    'bare @fastify/http-proxy': { url: at(barePort) + levels, pid: bare },
    'ours, without a token': {
      url: `${at(gatewayPort)}/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video`,
      pid: gateway,
    },
    'ours, token + limits + quota': {
      url: `${at(gatewayPort)}/api/enrollment`,
      headers: { authorization },
      pid: gateway,
    },
    'the same, with its log': {
      url: `${at(loggingPort)}/api/enrollment`,
      headers: { authorization },
      pid: logging,
    },
    'ours, cached public read': { url: at(gatewayPort) + levels, pid: gateway },
    'ours, 304': {
      url: at(gatewayPort) + levels,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
      pid: gateway,
    },
    'ours, 429 flood': { url: at(floodPort) + levels, pid: flooded },
  };
  if (process.env.BENCH_ONLY)
    for (const name of Object.keys(loads)) if (!new RegExp(process.env.BENCH_ONLY).test(name)) delete loads[name];
  const stream = { url: `${at(gatewayPort)}/api/s3/document/stream?key=k`, headers: { authorization }, pid: gateway };
  return { loads, stream };
}

function report(results: Map<string, Measured[]>, growthMiB: number): boolean {
  const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
  const of = (name: string, what: keyof Measured) => median((results.get(name) ?? []).map((one) => one[what]));
  // Each round's own ratio, then their median: rounds that the machine was busy in count for both sides.
  const ratio = (name: string, base: string) => {
    const bases = results.get(base) ?? [];
    return median(
      (results.get(name) ?? []).map((one, round) => one.requestsPerSecond / (bases[round]?.requestsPerSecond ?? 1)),
    );
  };
  console.log('|  | requests/s | CPU µs a request | p99 ms | failed |\n| --- | ---: | ---: | ---: | ---: |');
  for (const [name, all] of results) {
    const failed = name.includes('429') ? 0 : all.reduce((sum, one) => sum + one.failed, 0);
    console.log(
      `| ${name} | ${of(name, 'requestsPerSecond').toFixed(0)} | ${of(name, 'cpuMicrosPerRequest').toFixed(0)} | ${of(name, 'p99Ms').toFixed(1)} | ${failed} |`,
    );
  }
  const targets: [name: string, measured: number, target: number][] = [
    ['full path / bare http-proxy, at least', ratio('ours, token + limits + quota', 'bare @fastify/http-proxy'), 0.75],
    ['cached public read / nginx, at least', ratio('ours, cached public read', 'nginx, proxying'), 1.2],
    ['429 flood / nginx, at least', ratio('ours, 429 flood', 'nginx, proxying'), 1.2],
    ['growth under slow readers in MiB, at most', growthMiB, 8],
  ];
  const isMet = ([name, value, target]: (typeof targets)[number]) =>
    name.endsWith('at most') ? value <= target : value >= target;
  console.log('\n|  | target | measured | |\n| --- | ---: | ---: | --- |');
  for (const row of targets)
    console.log(`| ${row[0]} | ${row[2]} | ${row[1].toFixed(2)} | ${isMet(row) ? 'met' : 'missed'} |`);
  return targets.every(isMet);
}
