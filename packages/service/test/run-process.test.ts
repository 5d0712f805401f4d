import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';

const program = ['--enable-source-maps', join(import.meta.dirname, 'fixtures/process.js')];
const good = { CONTENT_URL: 'http://localhost:1' };

function run(t: Test, environment: Record<string, string>) {
  const child = spawn(process.execPath, program, {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  let complaints = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const exited = once(child, 'exit');
  return {
    child,
    says: (text: string) =>
      waitFor(() => output.includes(text), { timeoutMs: 20_000, until: `"${text}" in ${output}` }),
    output: () => output,
    complaints: () => complaints,
    code: async () => {
      const [code] = await exited;
      return code;
    },
  };
}

/** A process that listens. */
async function start(t: Test, environment: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const running = run(t, { ...good, ...environment, PORT: String(port), ADMIN_PORT: String(adminPort) });
  await running.says('"listening"');
  const get = async (url: string) => {
    const response = await fetch(url);
    const [type, connection] = ['content-type', 'connection'].map((name) => response.headers.get(name));
    return { status: response.status, body: await response.text(), type, connection };
  };
  return {
    ...running,
    url: `http://127.0.0.1:${port}`,
    get: (path: string) => get(`http://127.0.0.1:${port}${path}`),
    ask: (path: string) => get(`http://127.0.0.1:${adminPort}${path}`),
  };
}

t.test('settings that cannot be used end a process with 78, and all of them are named', async (t) => {
  const { code, complaints, output } = run(t, { PORT: 'http', LOG_LEVEL: 'loud', CONTENT_URL: 'ftp://x' });
  t.equal(await code(), 78);
  for (const name of ['PORT', 'LOG_LEVEL', 'CONTENT_URL']) t.match(complaints(), `- ${name}: must be`);
  t.notMatch(complaints(), /at .*\.ts/, 'no stack');
  t.equal(output(), '');
});

t.test('a port that is taken ends a process with 1 and one clear line', async (t) => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  t.teardown(() => void squatter.close());
  const address = squatter.address();
  const port = String(typeof address === 'object' ? address?.port : address);
  const { code, complaints } = run(t, { ...good, PORT: port });
  t.equal(await code(), 1);
  t.equal(complaints(), `fixture: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`);
});

t.test('what cannot be built ends a process with 1 and tells where', async (t) => {
  const { code, complaints } = run(t, { ...good, FAIL: 'build' });
  t.equal(await code(), 1);
  t.match(complaints(), /fixture: Error: cannot be built\n +at .*process\.ts/);
});

t.test('probes and metrics answer on the private port alone; what nobody caught ends a process with 1', async (t) => {
  const { ask, get, code, output } = await start(t);
  t.match(await ask('/livez'), { status: 200, body: '{"status":"alive"}' });
  t.match(await ask('/startupz'), { status: 200, body: '{"status":"started"}' });
  t.match(await ask('/readyz'), { status: 503, body: '{"status":"unready","checks":{"store":"not yet"}}' });
  t.match(await ask('/readyz'), { status: 200, body: '{"status":"ready","checks":{"store":"ok"}}' });
  const metrics = await ask('/metrics');
  t.match(metrics, { status: 200, type: /text\/plain/, body: /process_cpu_seconds_total/ });
  for (const path of ['/livez', '/readyz', '/startupz', '/metrics']) t.equal((await get(path)).status, 404, path);
  await get('/crash');
  t.equal(await code(), 1);
  t.match(output(), /"level":60.*nobody catches this/);
});

t.test('SIGTERM ends a process with 0, after the last request was answered', async (t) => {
  const { child, says, get, code, output } = await start(t);
  await get('/nowhere');
  const answer = get('/slow');
  await says('slow began');
  child.kill('SIGTERM');
  await says('"shutting down"');
  await t.rejects(get('/slow'), 'no new ones are taken');
  t.equal((await answer).status, 200);
  const answeredAt = Date.now();
  t.equal(await code(), 0);
  t.ok(Date.now() - answeredAt < 15_000, 'connections that are kept alive do not hold up the end');
  t.match(output(), /"route":"\/slow","status":200[\s\S]*"closed"/, 'parts are closed after it');
});

t.test('a process that leaves answers those who have not heard of it yet, each for the last time', async (t) => {
  const delaySeconds = 2;
  const { child, says, get, ask, code } = await start(t, { SHUTDOWN_DELAY: String(delaySeconds) });
  t.not((await get('/nowhere')).connection, 'close');
  const endsAt = Date.now() + delaySeconds * 1_000;
  child.kill('SIGTERM');
  await says('"shutting down"');
  t.match(await ask('/readyz'), { status: 503, body: /"draining"/ });
  t.match(await get('/nowhere'), { status: 404, connection: 'close' });
  t.equal(await code(), 0);
  t.ok(Date.now() >= endsAt, 'the door stayed open for as long as it was asked to');
});

t.test('a collector of traces that is away hinders neither work nor the end', async (t) => {
  const collector = `http://127.0.0.1:${await freePort()}`;
  const { child, get, code, output } = await start(t, { OTEL_EXPORTER_OTLP_ENDPOINT: collector });
  t.equal((await get('/nowhere')).status, 404);
  const since = Date.now();
  child.kill('SIGTERM');
  t.equal(await code(), 0);
  t.ok(Date.now() - since < 15_000);
  t.notMatch(output(), 'shutdown timed out');
});

t.test('an answer that takes too long is broken off, and the process ends with 0 all the same', async (t) => {
  const { child, url, code } = await start(t, { SHUTDOWN_TIMEOUT: '2' });
  const answer = await fetch(`${url}/endless`);
  child.kill('SIGTERM');
  await t.rejects(answer.text(), 'nobody takes the half for the whole');
  t.equal(await code(), 0);
});

t.test('a delay that leaves no time to finish is refused', async (t) => {
  const { code, complaints } = run(t, { ...good, SHUTDOWN_TIMEOUT: '10', SHUTDOWN_DELAY: '10' });
  t.equal(await code(), 78);
  t.match(complaints(), '- SHUTDOWN_DELAY: must leave');
  const among = run(t, { ...good, PORT: 'http', SHUTDOWN_TIMEOUT: '10', SHUTDOWN_DELAY: '10' });
  t.equal(await among.code(), 78);
  for (const name of ['PORT', 'SHUTDOWN_DELAY']) t.match(among.complaints(), `- ${name}: must`);
});

t.test('parts that cannot be closed end a process with 1', async (t) => {
  const failing = await start(t, { FAIL: 'close' });
  failing.child.kill('SIGTERM');
  t.equal(await failing.code(), 1);
  t.match(failing.output(), /"level":50.*cannot be closed/);
});

t.test('a process whose output nobody reads any more goes on, and ends when it is told to', async (t) => {
  // As under journald: a socket, whose other end goes away with bytes in it that were never read.
  const journal = createServer({ pauseOnConnect: true }).listen(join(tmpdir(), `journal-${randomUUID()}`));
  const accepted = once(journal, 'connection');
  await once(journal, 'listening');
  const output = connect(String(journal.address()));
  const [reader] = await accepted;
  await once(output, 'connect');
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, program, {
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
    timeoutMs: 20_000,
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
