// The gateway beside nginx and a bare @fastify/http-proxy, in turns, before the same upstream. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@lms/testing/servers';
import { request } from 'undici';
import { load, measure } from './harness/measure.ts';
import { type Bench, compare, quantile, runBench, setting } from './harness/run-bench.ts';
import type { Started } from './harness/start.ts';

const seconds = setting('BENCH_SECONDS', 4);

await runBench(async (bench) => {
  const { cases, idle, headers } = await prepare(bench);
  const { ratio } = await compare(cases, setting('BENCH_ROUNDS', 7));
  const check = (target: string, ours: string, base: string, least: number) =>
    bench.check(target, ratio(ours, base, 'requests/s'), { atLeast: least });
  check('full path / bare http-proxy', 'ours, token + limits + quota', 'bare @fastify/http-proxy', 0.75);
  check('cached public read / nginx', 'ours, cached public read', 'nginx, proxying', 1.2);
  check('429 flood / nginx', 'ours, 429 flood', 'nginx, proxying', 1.2);
  bench.check('growth under slow readers, MiB', await growthUnderSlowReaders(idle, headers), { atMost: 8 });
});

async function prepare({ directory, start, startScript, startUpstream }: Bench) {
  const upstream = await startUpstream();
  const config = join(directory, 'nginx.conf');
  const nginxPort = await freePort();
  await writeFile(config, nginxConfig(nginxPort, upstream.url));
  const nginx = await start('nginx', nginxPort, 'nginx', ['-p', directory, '-c', config, '-e', 'stderr']);
  const gateway = await upstream.startGateway();
  // Neither nginx nor the bare proxy writes a line for each request; one of ours shows what that costs.
  const logging = await upstream.startGateway({ LOG_LEVEL: 'info' });
  const flooded = await upstream.startGateway({ RATE_LIMIT_GENERAL: '1' });
  // The heap of one that has been loaded shrinks and grows by itself.
  const idle = await upstream.startGateway();

  const levels = '/api/education/levels';
  const headers = { authorization: `Bearer ${await upstream.tokenOf('uz4a98xxat96iws9zmbrgj3a')}` };
  const cached = await fetch(gateway.url + levels);
  await fetch(flooded.url + levels);
  const bare = await startScript('bare', 'servers/bare.ts', {
    ...{ UPSTREAM: upstream.url, READ: gateway.url + levels, REFUSAL: flooded.url + levels },
  });
  const get =
    ({ url, pid }: Started, path: string, sent = {}) =>
    () =>
      load({ url, requests: [{ path, headers: sent }], connections: 64, seconds, pids: { 'a request': pid } });
  const cases = {
    'nginx, proxying': get(nginx, levels),
    'bare @fastify/http-proxy': get(bare, levels),
    'ours, without a token': get(gateway, '/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video'),
    'ours, token + limits + quota': get(gateway, '/api/enrollment', headers),
    'the same, with its log': get(logging, '/api/enrollment', headers),
    'bare Fastify, the same read': get(bare, '/read'),
    'ours, cached public read': get(gateway, levels),
    'ours, 304': get(gateway, levels, { 'if-none-match': cached.headers.get('etag') ?? '' }),
    'bare Fastify, the same 429': get(bare, '/refusal'),
    'ours, 429 flood': get(flooded, levels),
  };
  return { cases, idle, headers };
}

/**
 * Reads 200 MB fast, and then slowly by five readers at once, in turns. Any download makes a process grow by the buffers that
 * V8 has not collected yet, up to 32 MiB. What the slow readers add is the median difference of the peaks, which is returned
 * in MiB.
 */
async function growthUnderSlowReaders({ url, pid }: Started, headers: Record<string, string>): Promise<number> {
  const read = (pauseMs: number) => readDownload(`${url}/api/s3/document/stream?key=k`, headers, pauseMs);
  const peakOf = async (work: () => Promise<unknown>) =>
    (await measure({ gateway: pid }, work))['MiB, gateway'] ?? Number.NaN;
  const growths: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const fast = await peakOf(() => read(0));
    growths.push((await peakOf(() => Promise.all(Array.from({ length: 5 }, () => read(50))))) - fast);
  }
  return quantile(growths, 0.5);
}

/** Reads a download with a pause after each 2 MB. */
async function readDownload(url: string, headers: Record<string, string>, pauseMs: number) {
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
function nginxConfig(port: number, upstream: string): string {
  return `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  keepalive_requests 1000000;
  upstream service { server ${new URL(upstream).host}; keepalive 128; keepalive_requests 1000000; }
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
