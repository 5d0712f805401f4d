import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { setup } from './setup.ts';

/** Starts a process with all connections open. The returned function closes them; the process must then exit by itself. */
async function openProcess(t: Test, natsUrl: string, databaseUrl: string) {
  const file = join(import.meta.dirname, 'programs/open-and-close.js');
  const child = spawn(process.execPath, [file, natsUrl, databaseUrl], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await once(child.stdout, 'data');
  return async () => {
    const startedAt = Date.now();
    child.stdin.end('close\n');
    const [code] = await once(child, 'close');
    t.equal(code, 0, stderr);
    t.equal(stderr, '');
    t.ok(Date.now() - startedAt < 15_000, `${Date.now() - startedAt} ms`);
  };
}

t.test('a process exits after closing its connections: all servers up', async (t) => {
  const { nats, database } = await setup(t);
  const close = await openProcess(t, nats.url, database.url);
  const sessions = () => database.sql`select 1 from pg_stat_activity where datname = current_database()`;
  await waitFor(async () => (await sessions()).length > 1, { until: 'the connections of the process' });
  await close();
});

t.test('a process exits after closing its connections: NATS and the database never up', async (t) => {
  const nowhere = '127.0.0.1:1';
  const close = await openProcess(t, `nats://${nowhere}`, `postgres://user@${nowhere}/nothing`);
  await close();
});

t.test('a process exits after closing its connections: NATS never up', async (t) => {
  const { database } = await setup(t);
  const close = await openProcess(t, 'nats://127.0.0.1:1', database.url);
  await close();
});

t.test('a process exits after closing its connections: NATS down since', async (t) => {
  const { nats, database } = await setup(t);
  const close = await openProcess(t, nats.url, database.url);
  const sessions = () => database.sql`select 1 from pg_stat_activity where datname = current_database()`;
  await waitFor(async () => (await sessions()).length > 1, { until: 'the connections of the process' });
  await nats.kill();
  await close();
});

t.test('a process exits after closing its connections: NATS suspended', async (t) => {
  const { nats, database } = await setup(t);
  const close = await openProcess(t, nats.url, database.url);
  const sessions = () => database.sql`select 1 from pg_stat_activity where datname = current_database()`;
  await waitFor(async () => (await sessions()).length > 1, { until: 'the connections of the process' });
  nats.process().kill('SIGSTOP');
  await close();
});
