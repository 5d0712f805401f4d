import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';

const program = join(import.meta.dirname, 'programs/process.js');
const good = { CONTENT_URL: 'http://localhost:1' };

function run(t: Test, environment: Record<string, string>) {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  // Not 'exit': the last output may arrive after it.
  const closed = once(child, 'close');
  return {
    child,
    logs: (text: string) => waitFor(() => output.includes(text), { until: `"${text}" in ${output}` }),
    output: () => output,
    stderr: () => stderr,
    code: async () => {
      const [code] = await closed;
      return code;
    },
  };
}

/** Starts a process and waits until it listens. */
async function start(t: Test, environment: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const running = run(t, { ...good, ...environment, PORT: String(port), ADMIN_PORT: String(adminPort) });
  await running.logs('"listening"');
  const get = async (url: string) => {
    const response = await fetch(url);
    const [type, connection] = ['content-type', 'connection'].map((name) => response.headers.get(name));
    return { status: response.status, body: await response.text(), type, connection };
  };
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    get: (path: string) => get(`http://127.0.0.1:${port}${path}`),
    getAdmin: (path: string) => get(`http://127.0.0.1:${adminPort}${path}`),
  };
}

t.test('invalid settings exit with 78 and are all listed', async (t) => {
  const { code, stderr, output } = run(t, { PORT: 'http', LOG_LEVEL: 'loud', CONTENT_URL: 'ftp://x' });
  t.equal(await code(), 78);
  for (const name of ['PORT', 'LOG_LEVEL', 'CONTENT_URL']) t.match(stderr(), `- ${name}: must be`);
  t.notMatch(stderr(), /at .*\.[jt]s/, 'no stack');
  t.equal(output(), '');
});

t.test('a port in use exits with 1 and a one-line message', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => void other.close());
  const address = other.address();
  const port = String(typeof address === 'object' ? address?.port : address);
  const { code, stderr } = run(t, { ...good, PORT: port });
  t.equal(await code(), 1);
  t.equal(stderr(), `fixture: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`);
});

t.test('an error in build exits with 1 and a stack trace', async (t) => {
  const { code, stderr } = run(t, { ...good, FAIL: 'build' });
  t.equal(await code(), 1);
  t.match(stderr(), /fixture: Error: cannot be built\n +at .*process\.js/);
});

t.test('probes and metrics are served on the private port only, and an uncaught error exits with 1', async (t) => {
  const { getAdmin, get, code, output } = await start(t);
  t.match(await getAdmin('/livez'), { status: 200, body: '{"status":"alive"}' });
  t.match(await getAdmin('/startupz'), { status: 200, body: '{"status":"started"}' });
  t.match(await getAdmin('/readyz'), { status: 503, body: '{"status":"unready","checks":{"store":"not yet"}}' });
  t.match(await getAdmin('/readyz'), { status: 200, body: '{"status":"ready","checks":{"store":"ok"}}' });
  t.match(output(), /"adminAddress":\{"address":"127\.0\.0\.1"/, 'the log names the port, which may be any free one');
  const metrics = await getAdmin('/metrics');
  t.match(metrics, { status: 200, type: /text\/plain/, body: /process_cpu_seconds_total/ });
  for (const path of ['/livez', '/readyz', '/startupz', '/metrics']) t.equal((await get(path)).status, 404, path);
  await get('/crash');
  t.equal(await code(), 1);
  t.match(output(), /"level":60.*unhandled rejection/);
});

t.test('SIGTERM exits with 0 after the last response', async (t) => {
  const { child, logs, get, code, output } = await start(t);
  await get('/nowhere');
  const response = get('/slow');
  await logs('slow request started');
  child.kill('SIGTERM');
  await logs('"shutting down"');
  const isRefused = () =>
    get('/nowhere').then(
      () => false,
      () => true,
    );
  await waitFor(isRefused, { until: 'new connections to be refused' });
  t.equal((await response).status, 200);
  const respondedAt = Date.now();
  t.equal(await code(), 0);
  t.ok(Date.now() - respondedAt < 15_000, 'keep-alive connections do not delay the exit');
  t.match(output(), /"route":"\/slow","status":200[\s\S]*"closed"/, 'close runs after the last response');
});

t.test('during SHUTDOWN_DELAY requests are served, and their connections closed', async (t) => {
  const delaySeconds = 4;
  const { child, logs, get, getAdmin, code } = await start(t, { SHUTDOWN_DELAY: String(delaySeconds) });
  t.not((await get('/nowhere')).connection, 'close');
  const endsAt = Date.now() + delaySeconds * 1_000;
  child.kill('SIGTERM');
  await logs('"shutting down"');
  t.match(await getAdmin('/readyz'), { status: 503, body: /"draining"/ });
  t.match(await get('/nowhere'), { status: 404, connection: 'close' });
  t.equal(await code(), 0);
  t.ok(Date.now() >= endsAt, 'the port stayed open for the delay');
});

t.test('an unreachable trace collector delays neither requests nor the shutdown', async (t) => {
  const collector = 'http://127.0.0.1:1';
  const { child, get, code, output } = await start(t, { OTEL_EXPORTER_OTLP_ENDPOINT: collector });
  t.equal((await get('/nowhere')).status, 404);
  const since = Date.now();
  child.kill('SIGTERM');
  t.equal(await code(), 0);
  t.ok(Date.now() - since < 15_000);
  t.notMatch(output(), 'shutdown timed out');
});

t.test('a response that exceeds the shutdown timeout is aborted, and the process exits with 0', async (t) => {
  const { child, url, code } = await start(t, { SHUTDOWN_TIMEOUT: '2' });
  const response = await fetch(`${url}/endless`);
  child.kill('SIGTERM');
  await t.rejects(response.text(), 'the client notices the incomplete response');
  t.equal(await code(), 0);
});

t.test('a SHUTDOWN_DELAY that leaves no time to finish is invalid', async (t) => {
  const { code, stderr } = run(t, { ...good, SHUTDOWN_TIMEOUT: '10', SHUTDOWN_DELAY: '10' });
  t.equal(await code(), 78);
  t.match(stderr(), '- SHUTDOWN_DELAY: must leave');
  const several = run(t, { ...good, PORT: 'http', SHUTDOWN_TIMEOUT: '10', SHUTDOWN_DELAY: '10' });
  t.equal(await several.code(), 78);
  for (const name of ['PORT', 'SHUTDOWN_DELAY']) t.match(several.stderr(), `- ${name}: must`);
});

t.test('an error in close exits with 1', async (t) => {
  const failing = await start(t, { FAIL: 'close' });
  failing.child.kill('SIGTERM');
  t.equal(await failing.code(), 1);
  t.match(failing.output(), /"level":50.*cannot be closed/);
});

t.test('a process continues after the reader of its output went away, and exits on SIGTERM', async (t) => {
  // As under journald: a socket whose other end closes with unread bytes.
  const journal = createServer({ pauseOnConnect: true }).listen(join(tmpdir(), `journal-${randomUUID()}`));
  const accepted = once(journal, 'connection');
  await once(journal, 'listening');
  const output = connect(String(journal.address()));
  const [reader] = await accepted;
  await once(output, 'connect');
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH ?? '', ...good, PORT: String(port), ADMIN_PORT: String(adminPort) },
    stdio: ['ignore', output, 'ignore'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  output.destroy();
  const statusOf = (path: string, at = port) =>
    fetch(`http://127.0.0.1:${at}${path}`).then(
      ({ status }) => status,
      () => undefined,
    );
  await waitFor(async () => (await statusOf('/nowhere')) === 404, {
    until: 'the process to listen',
  });

  reader.destroy();
  journal.close();
  for (let requests = 0; requests < 10; requests += 1) t.equal(await statusOf('/nowhere'), 404);
  t.equal(await statusOf('/livez', adminPort), 200);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  t.same(await exited, [0, null]);
});
