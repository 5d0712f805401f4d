// The gateway beside nginx and a bare @fastify/http-proxy, in turns, before the same upstream. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@lms/testing/servers';
import { compare, type Headers, load, measure, quantile, run } from './harness/measure.ts';
import { runBench, setting } from './harness/run-bench.ts';

const seconds = setting('BENCH_SECONDS', 4);

await runBench(async ({ directory, start, startBare, startUpstream, check }) => {
  const upstream = await startUpstream();
  const nginxPort = await freePort();
  const nginxFile = join(directory, 'nginx.conf');
  await writeFile(nginxFile, nginxConfig(nginxPort, upstream.url));
  const nginx = await start('nginx', nginxPort, ['nginx', '-p', directory, '-c', nginxFile, '-e', 'stderr']);
  const gateway = await upstream.startGateway();
  // Neither nginx nor the bare proxy writes a line for each request; one of ours shows what that costs.
  const logging = await upstream.startGateway({ LOG_LEVEL: 'info' });
  const flooded = await upstream.startGateway({ RATE_LIMIT_GENERAL: '1' });
  const levels = '/api/education/levels';
  const cached = await fetch(gateway.url + levels);
  await fetch(flooded.url + levels);
  const bare = await startBare('bare', {
    ...{ UPSTREAM: upstream.url, READ: gateway.url + levels, REFUSAL: flooded.url + levels },
  });
  const headers = { authorization: `Bearer ${upstream.tokenOf('uz4a98xxat96iws9zmbrgj3a')}` };
  const get =
    ({ url, pid }: { url: string; pid: number }, path: string, sent: Headers = {}) =>
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
  const { ratio } = await compare(cases, setting('BENCH_ROUNDS', 7));
  const requestsOf = (ours: string, base: string) => ratio(ours, base, 'requests/s');
  const [proxied, read] = ['ours, token + limits + quota', 'ours, cached public read'];
  check('full path / bare http-proxy', requestsOf(proxied, 'bare @fastify/http-proxy'), { atLeast: 0.75 });
  check('cached public read / nginx', requestsOf(read, 'nginx, proxying'), { atLeast: 1.2 });
  check('429 flood / nginx', requestsOf('ours, 429 flood', 'nginx, proxying'), { atLeast: 1.2 });

  // The heap of one that has been loaded shrinks and grows by itself.
  const { url, pid } = await upstream.startGateway();
  /** Reads 200 MB. */
  const download = (bytesPerSecond: string) =>
    run('curl', [
      ...['--silent', '--fail', '--output', '/dev/null', '--limit-rate', bytesPerSecond],
      ...['--header', `authorization: ${headers.authorization}`, `${url}/api/s3/document/stream?key=k`],
    ]);
  const fiveTimes = () => Promise.all(Array.from({ length: 5 }, () => download('40M')));
  const readers = {
    'a fast reader': () => measure({ gateway: pid }, () => download('0')),
    'five slow readers': () => measure({ gateway: pid }, fiveTimes),
  };
  // Any download makes a process grow by the buffers that V8 has not collected yet, up to 32 MiB.
  const { values } = await compare(readers, 5);
  const [one = [], five = []] = Object.keys(readers).map((name) => values(name, 'MiB, gateway'));
  const growth = quantile(five.map((peak, round) => peak - (one[round] ?? Number.NaN)));
  check('growth under slow readers, MiB', growth, { atMost: 8 });
});

/** nginx as a plain proxy with keep-alive connections, in one process because Node.js has one thread. */
function nginxConfig(port: number, upstream: string): string {
  return `
daemon off; master_process off; pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  keepalive_requests 1000000;
  upstream service { server ${new URL(upstream).host}; keepalive 128; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`;
}
