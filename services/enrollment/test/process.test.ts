import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { migrations } from './test-service.ts';

/** Starts a file of the service as a process of its own. */
function start(t: Test, file: 'main' | 'migrate', environment: Record<string, string>) {
  const path = fileURLToPath(new URL(`../dist/${file}.js`, import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (data) => said.push(String(data)));
  const ended = once(child, 'exit').then(([code]) => ({ code, said: said.join('') }));
  t.teardown(() => child.kill('SIGKILL'));
  return { child, ended };
}

t.test('it serves while NATS and its neighbours are away, and ends gracefully', { timeout: 60_000 }, async (t) => {
  const { url: databaseUrl } = await testDatabase(t, migrations);
  const [port, adminPort, nobody] = [await freePort(), await freePort(), await freePort()];
  const { child, ended } = start(t, 'main', {
    DATABASE_URL: databaseUrl,
    NATS_URL: `nats://127.0.0.1:${nobody}`,
    CONTENT_URL: `http://127.0.0.1:${nobody}`,
    IDENTITY_URL: `http://127.0.0.1:${nobody}`,
    PASSPORT_PUBLIC_KEY: testPassportKey,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitFor(isReady, { timeoutMs: 40_000, until: 'readiness' });

  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: passportHeaders(testPrincipal()) }).then(async (answer) => ({
      status: answer.status,
      body: await answer.json(),
    }));
  t.match(await ask('/api/enrollment'), { status: 200, body: { success: true, data: [] } });
  t.match(await ask('/api/nothing'), { status: 404, body: { success: false, code: 'NOT_FOUND' } });
  child.kill('SIGTERM');
  t.equal((await ended).code, 0);
});

t.test('settings that are missing or malformed are told all at once', async (t) => {
  const { ended } = start(t, 'main', { NATS_URL: 'http://nats', CONTENT_URL: 'http://content' });
  const { code, said } = await ended;
  t.equal(code, 78);
  for (const name of ['DATABASE_URL', 'NATS_URL', 'PASSPORT_PUBLIC_KEY', 'IDENTITY_URL'])
    t.match(said, new RegExp(`- ${name}: `));
  t.notMatch(said, /CONTENT_URL/);
});

t.test('migrating is done once, however often it is asked for', async (t) => {
  const { url } = await testDatabase(t, migrations);
  t.match(await start(t, 'migrate', { MIGRATION_DATABASE_URL: url }).ended, { code: 0, said: '' });
  t.match(await start(t, 'migrate', {}).ended, { code: 78, said: /MIGRATION_DATABASE_URL/ });
});
