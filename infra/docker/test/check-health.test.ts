import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { root } from './compose-file.ts';

/** Returns the exit code of the health check. */
async function check(environment: Record<string, string>, ...args: string[]): Promise<number> {
  const script = join(root, 'infra/docker/check-health.mjs');
  const child = spawn(process.execPath, [script, ...args], { env: environment, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return code;
}

t.test('a container is healthy while its admin port responds with 200', async (t) => {
  const statuses: Record<string, number> = { '/livez': 200, '/readyz': 503, '/healthz': 200 };
  const server = createServer(({ url = '' }, response) => response.writeHead(statuses[url] ?? 404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  const port = String(typeof address === 'object' ? address?.port : '');

  t.equal(await check({ ADMIN_PORT: port }), 0, 'alive');
  t.equal(await check({ ADMIN_PORT: port }, '/readyz'), 1, 'alive, but not ready');
  t.equal(await check({ ADMIN_PORT: '1', HEALTH_PORT: port }, '/healthz'), 0, 'another port and path');
  t.equal(await check({ ADMIN_PORT: '1' }), 1, 'not running');
});

t.test('a container that does not respond is not healthy', { timeout: 60_000 }, async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  const address = server.address();
  t.equal(await check({ ADMIN_PORT: String(typeof address === 'object' ? address?.port : '') }), 1);
});
