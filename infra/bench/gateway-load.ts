// The gateway beside nginx and a bare @fastify/http-proxy, in turns, before the same upstream. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@lms/testing/servers';
import { request } from 'undici';
import { compareLoads, perSecond, type Way } from './harness/loads.ts';
import { type Started, untilConnected, untilReachable } from './harness/processes.ts';
import { medianRatio, quantile } from './harness/results.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { watch } from './harness/usage.ts';

const only = new RegExp(process.env.BENCH_ONLY ?? '');

await runBench(async (bench) => {
  const { ways, stream } = await prepare(bench);
  const chosen = ways.filter(({ name }) => only.test(name));
  const results = await compareLoads(chosen, setting('BENCH_ROUNDS', 7), 64, setting('BENCH_SECONDS', 4));
  const compare = (name: string, one: string, base: string, atLeast: number) => {
    const [ours, theirs] = [one, base].map((wanted) => results[chosen.findIndex((way) => way.name === wanted)]);
    if (ours && theirs) bench.check(name, medianRatio(ours, theirs, perSecond), { atLeast });
  };
  compare('full path / bare http-proxy', 'ours, token + limits + quota', 'bare @fastify/http-proxy', 0.75);
  compare('cached public read / nginx', 'ours, cached public read', 'nginx, proxying', 1.2);
  compare('429 flood / nginx', 'ours, 429 flood', 'nginx, proxying', 1.2);
  bench.check('growth under slow readers, MiB', await growthUnderSlowReaders(stream), { atMost: 8 });
});

async function prepare({ directory, start, startOthers, startScript, startGateway, startNats, startRedis }: Bench) {
  const upstream = await startOthers();
  const nginxPort = await freePort();
  const config = join(directory, 'nginx.conf');
  await writeFile(config, nginxConfig(directory, nginxPort, Number(new URL(upstream.url).port)));
  const { pid = 0 } = await start('nginx', 'nginx', ['-c', config, '-e', join(directory, 'error.log')]);
  const nginx = { url: `http://127.0.0.1:${nginxPort}`, pid };
  const urls = { NATS_URL: (await startNats()).url, REDIS_URL: (await startRedis()).url };
  const startOurs = async (settings: Record<string, string>) => {
    const gateway = await startGateway(upstream.url, { ...urls, ...settings });
    await untilConnected(gateway.url);
    return gateway;
  };
  const gateway = await startOurs({});
  // Neither nginx nor the bare proxy writes a line for each request; one of ours shows what that costs.
  const logging = await startOurs({ LOG_LEVEL: 'info' });
  const flooded = await startOurs({ RATE_LIMIT_GENERAL: '1' });
  await untilReachable(nginx.url);

  const levels = '/api/education/levels';
  const headers = { authorization: `Bearer ${await upstream.tokenOf('uz4a98xxat96iws9zmbrgj3a')}` };
  const cached = await fetch(gateway.url + levels);
  await fetch(flooded.url + levels);
  const bare = await startScript('bare', 'harness/bare-proxy.ts', {
    ...{ UPSTREAM: upstream.url, READ: gateway.url + levels, REFUSAL: flooded.url + levels },
  });
  const get = (name: string, { url, pid }: Started, path: string, sent: Record<string, string> = {}): Way => ({
    ...{ name, url: url + path, headers: sent, pids: { measured: pid } },
  });
  const ways = [
    get('nginx, proxying', nginx, levels),
    get('bare @fastify/http-proxy', bare, levels),
    get('ours, without a token', gateway, '/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video'),
    get('ours, token + limits + quota', gateway, '/api/enrollment', headers),
    get('the same, with its log', logging, '/api/enrollment', headers),
    get('bare Fastify, the same read', bare, '/read'),
    get('ours, cached public read', gateway, levels),
    get('ours, 304', gateway, levels, { 'if-none-match': cached.headers.get('etag') ?? '' }),
    get('bare Fastify, the same 429', bare, '/refusal'),
    get('ours, 429 flood', flooded, levels),
  ];
  // The heap of one that has been loaded shrinks and grows by itself.
  const idle = await startOurs({});
  return { ways, stream: { ...idle, url: `${idle.url}/api/s3/document/stream?key=k`, headers } };
}

interface Stream extends Started {
  headers: Record<string, string>;
}

/**
 * Reads 200 MB fast, and then slowly by five readers at once, in turns. Any download makes a process grow by the buffers that
 * V8 has not collected yet, up to 32 MiB. What the slow readers add is the median difference of the peaks, which is returned
 * in MiB.
 */
async function growthUnderSlowReaders(stream: Stream): Promise<number> {
  const peakOf = async (work: () => Promise<unknown>) => (await watch({ gateway: stream.pid }, work)).peak.gateway ?? 0;
  const growths: number[] = [];
  for (const _ of Array.from({ length: 5 })) {
    const fast = await peakOf(() => read(stream, 0));
    growths.push((await peakOf(() => Promise.all(Array.from({ length: 5 }, () => read(stream, 50))))) - fast);
  }
  return quantile(growths, 0.5);
}

/** Reads a download with a pause after each 2 MB. */
async function read({ url, headers }: Stream, pauseMs: number) {
  const stepBytes = 2 * 1_024 * 1_024;
  const { body } = await request(url, { headers });
  let received = 0;
  for await (const chunk of body) {
    const step = Math.floor(received / stepBytes);
    received += chunk.length;
    if (Math.floor(received / stepBytes) > step) await pause(pauseMs);
  }
  if (received !== 100 * stepBytes) throw new Error(`${received} bytes arrived`);
}

/** nginx as a plain proxy with keep-alive connections, in one process because Node.js has one thread. */
function nginxConfig(directory: string, port: number, upstreamPort: number): string {
  return `
daemon off;
master_process off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  keepalive_requests 1000000;
  upstream service { server 127.0.0.1:${upstreamPort}; keepalive 128; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;
}
