import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@lms/testing/servers';
import t, { type Test } from 'tap';
import { send, signIn, waitFor } from './start-provider.ts';

const entry = fileURLToPath(new URL('../dist/main.js', import.meta.url));

function run(t: Test, settings: Record<string, string>, stdout: 'pipe' | number = 'pipe') {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = spawn(process.execPath, [entry], {
    env: { ...environment, NODE_ENV: '', PORT: '0', ...settings },
    stdio: ['ignore', stdout, 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const ended = once(child, 'close');
  t.teardown(() => child.kill('SIGKILL'));
  return {
    output: () => output,
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
    exitCode: async () => (await ended)[0],
    listening: async () => {
      const address = () => /listening at (http:\/\/[\d.:]+)/.exec(output)?.[1];
      await waitFor(() => address() !== undefined);
      return address() ?? '';
    },
  };
}

t.test('it does not start in production, and says why', async (t) => {
  const started = run(t, { NODE_ENV: 'production', DATA_FILE: join(t.testdir(), 'state.json') });
  t.equal(await started.exitCode(), 78);
  t.match(started.output(), /NODE_ENV: must be anything but production/);
});

t.test('all invalid settings are reported at once', async (t) => {
  const started = run(t, { PORT: 'x', ISSUER: 'https://idp.test/path', WEBHOOK_URL: 'nowhere' });
  t.equal(await started.exitCode(), 78);
  for (const name of ['PORT', 'ISSUER', 'WEBHOOK_URL']) t.match(started.output(), new RegExp(`- ${name}: `));
});

t.test('a webhook URL without a secret is rejected', async (t) => {
  const started = run(t, { WEBHOOK_URL: 'http://127.0.0.1:1/' });
  t.equal(await started.exitCode(), 78);
  t.match(started.output(), /WEBHOOK_SECRET: is required/);
});

t.test('acknowledged changes survive SIGKILL, and SIGTERM exits with 0', async (t) => {
  const file = join(t.testdir(), 'deep', 'state.json');
  const first = run(t, { DATA_FILE: file });
  const url = await first.listening();
  const { body: user } = await send('POST', `${url}/users`, { email: 'n@lms.test', password: 'my secret' });
  await first.kill('SIGKILL');
  t.equal((await stat(file)).mode & 0o777, 0o600, 'only the owner can read the keys');

  const second = run(t, { DATA_FILE: file, ISSUER: 'http://localhost:8090' });
  const again = await second.listening();
  t.match(await send('GET', `${again}/users/${user.id}`), { status: 200, body: user });
  t.equal((await send('GET', `${again}/.well-known/openid-configuration`)).body.issuer, 'http://localhost:8090');
  const { status, body } = await signIn(again, 'n@lms.test', 'my secret');
  t.equal(status, 200);
  await send('GET', `${again}/healthz?access_token=${body.access_token}`);
  t.same(await second.kill('SIGTERM'), [0, null]);
  t.notMatch(second.output(), /my secret|eyJ/, 'neither passwords nor tokens are logged');
  t.notMatch(await readFile(file, 'utf8'), 'my secret');
});

t.test('it goes on when its log is on a full disk', { skip: !existsSync('/dev/full') }, async (t) => {
  const disk = await open('/dev/full', 'w');
  t.teardown(() => disk.close());
  const port = await freePort();
  const running = run(t, { DATA_FILE: join(t.testdir(), 'state.json'), PORT: String(port) }, disk.fd);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(isReady);
  t.same(await running.kill('SIGTERM'), [0, null]);
});
