import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@lms/testing/servers';
import t from 'tap';
import { root } from './compose-file.ts';

/** The exit code of a container's health check. */
async function check(environment: Record<string, string>, ...args: string[]): Promise<number> {
  const script = join(root, 'infra/docker/check-health.mjs');
  const child = spawn(process.execPath, [script, ...args], { env: environment, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return code;
}

t.test('a container is healthy as long as its admin port says so', async (t) => {
  const answers: Record<string, number> = { '/livez': 200, '/readyz': 503, '/healthz': 200 };
  const server = createServer(({ url = '' }, response) => response.writeHead(answers[url] ?? 404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  const port = String(typeof address === 'object' ? address?.port : '');

  t.equal(await check({ ADMIN_PORT: port }), 0, 'alive');
  t.equal(await check({ ADMIN_PORT: port }, '/readyz'), 1, 'alive, and not ready');
  t.equal(await check({ ADMIN_PORT: '1', HEALTH_PORT: port }, '/healthz'), 0, 'asked where it says');
  t.equal(await check({ ADMIN_PORT: String(await freePort()) }), 1, 'gone');
});

t.test('a container that keeps silent is not healthy', { timeout: 10_000 }, async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  const address = server.address();
  t.equal(await check({ ADMIN_PORT: String(typeof address === 'object' ? address?.port : '') }), 1);
});
