import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@lms/testing/database';
import { testPassportKey } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { migrations } from './content-service.ts';

function run(file: string, environment: Record<string, string>): { child: ChildProcess; said: () => string } {
  let text = '';
  const path = fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  return { child, said: () => text };
}

t.test('settings that cannot be used are all told at once', async (t) => {
  const { child, said } = run('main.js', { DATABASE_URL: 'mysql://x', CONTENT_RETENTION_DAYS: '0' });
  const [code] = await once(child, 'exit');
  t.equal(code, 78);
  for (const name of [
    'DATABASE_URL',
    'NATS_URL',
    'PASSPORT_PUBLIC_KEY',
    'ENROLLMENT_URL',
    'IDENTITY_URL',
    'PUBLIC_URL',
    'CONTENT_RETENTION_DAYS',
  ])
    t.match(said(), name);
});

t.test('a migration that has run already changes nothing', async (t) => {
  const { url } = await testDatabase(t, migrations);
  const { child } = run('migrate.js', { MIGRATION_DATABASE_URL: url });
  t.same(await once(child, 'exit'), [0, null]);
});

t.test('the service serves while NATS and its neighbours are out, and ends when asked to', async (t) => {
  const { url, sql } = await testDatabase(t, migrations);
  const [port, adminPort, nothing] = [await freePort(), await freePort(), await freePort()];
  const { child, said } = run('main.js', {
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATABASE_URL: url,
    NATS_URL: `nats://127.0.0.1:${nothing}`,
    PASSPORT_PUBLIC_KEY: testPassportKey,
    ENROLLMENT_URL: `http://127.0.0.1:${nothing}`,
    IDENTITY_URL: `http://127.0.0.1:${nothing}`,
    PUBLIC_URL: 'http://lms.test',
  });
  t.teardown(() => child.kill('SIGKILL'));
  const answers = (path: string) =>
    fetch(path).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(() => answers(`http://127.0.0.1:${adminPort}/readyz`), {
    timeoutMs: 30_000,
    until: `readiness: ${said()}`,
  });
  t.ok(await answers(`http://127.0.0.1:${port}/api/education/levels`));

  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
    return { status: answer.status, body: await answer.text() };
  };
  const [latest] = await sql`delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations) returning hash, created_at`;
  t.match(
    await ask(),
    { status: 503, body: /"postgres":"the database lacks 1 migration: \d{4}_/ },
    'a database behind',
  );
  await sql`insert into drizzle.__drizzle_migrations ${sql(latest ?? {})}`;
  t.match(await ask(), { status: 200 });
  child.kill('SIGTERM');
  t.same(await once(child, 'exit'), [0, null], 'an orderly end');
});
