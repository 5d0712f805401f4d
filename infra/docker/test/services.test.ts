import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportPath } from '@lms/contracts/internal/export';
import { deadLetters } from '@lms/events/tables';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { runScript } from '@lms/testing/run-script';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { root } from './compose-file.ts';

interface Service {
  name: string;
  /** Required settings besides the database, NATS and the passport key. */
  settings: Record<string, string>;
  invalid: Record<string, string>;
  /** A GET request that needs no other service. */
  path: string;
}

const elsewhere = 'http://127.0.0.1:9';
const serviceSecret = 'a secret of at least 32 characters';
const publicUrl = 'http://lms.test';
const services: Service[] = [
  { name: 'identity', settings: {}, invalid: { DEFAULT_PLAN: 'GOLD' }, path: '/api/users' },
  {
    name: 'content',
    settings: {
      ENROLLMENT_URL: elsewhere,
      IDENTITY_URL: elsewhere,
      MEDIA_URL: elsewhere,
      PUBLIC_URL: publicUrl,
      SERVICE_SECRET: serviceSecret,
    },
    invalid: { CONTENT_RETENTION_DAYS: '0' },
    path: '/api/education/levels',
  },
  {
    name: 'media',
    settings: {
      CONTENT_URL: elsewhere,
      PUBLIC_URL: publicUrl,
      SERVICE_SECRET: serviceSecret,
      PLAYBACK_SECRET: 'a secret for playback URLs',
      STORAGE_PATH: t.testdir(),
    },
    invalid: { MAX_CONCURRENT_UPLOADS: 'many' },
    path: exportPath,
  },
  {
    name: 'enrollment',
    settings: { CONTENT_URL: elsewhere, IDENTITY_URL: elsewhere },
    invalid: { SHUTDOWN_TIMEOUT: 'long' },
    path: '/api/enrollment',
  },
];

const folderOf = (service: string) => join(root, 'services', service);
const programOf = (service: string, name: string) => pathToFileURL(join(folderOf(service), `dist/${name}.js`));
const openDatabase = (t: Test, service: string) => testDatabase(t, join(folderOf(service), 'migrations'));

for (const { name, settings, invalid, path } of services) {
  t.test(`${name} reports all missing or invalid settings, and no others`, async (t) => {
    const faulty = { DATABASE_URL: 'mysql://x', NATS_URL: 'http://nats', ...invalid };
    const { code, out, err } = await runScript(programOf(name, 'main'), { ...faulty, LOG_LEVEL: 'info' });
    t.equal(code, 78);
    const named = [...(out + err).matchAll(/- ([A-Z_]+): /g)].map(([, setting]) => setting);
    const required = ['PASSPORT_PUBLIC_KEY', ...Object.keys(settings)];
    t.same(new Set(named), new Set([...Object.keys(faulty), ...required]), out + err);
  });

  t.test(`${name} can be migrated repeatedly`, async (t) => {
    const { url } = await openDatabase(t, name);
    const outcome = await runScript(programOf(name, 'migrate'), { MIGRATION_DATABASE_URL: url });
    t.same(outcome, { code: 0, out: '', err: '' });
  });

  t.test(
    `${name} serves requests while NATS and the other services are unavailable, and exits on SIGTERM`,
    async (t) => {
      const { url, sql } = await openDatabase(t, name);
      const [port, adminPort] = [await freePort(), await freePort()];
      const program = { DATABASE_URL: url, NATS_URL: 'nats://127.0.0.1:9', PASSPORT_PUBLIC_KEY: testPassportKey };
      const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
      const child = spawn(process.execPath, [programOf(name, 'main').pathname], {
        env: { PATH: process.env.PATH, ...program, ...settings, ...ports },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.teardown(() => child.kill('SIGKILL'));
      let output = '';
      child.stdout.on('data', (chunk) => (output += String(chunk)));
      const readiness = async () => {
        const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
        return { status: response.status, body: await response.text() };
      };
      const isReady = () =>
        readiness().then(
          ({ status }) => status === 200,
          () => false,
        );
      await waitFor(isReady, { timeoutMs: 60_000, until: `readiness: ${output}` });

      const headers = passportHeaders(testPrincipal(['ADMIN']));
      const read = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      t.match({ status: read.status, body: await read.json() }, { status: 200, body: { success: true } });
      const unknown = await fetch(`http://127.0.0.1:${port}/api/nothing`, { headers });
      t.match({ status: unknown.status, body: await unknown.json() }, { status: 404, body: { code: 'NOT_FOUND' } });

      const [latest] = await sql`delete from drizzle.__drizzle_migrations
      where created_at = (select max(created_at) from drizzle.__drizzle_migrations) returning hash, created_at`;
      const behind = /"postgres":"the database lacks 1 migration: \d{4}_/;
      t.match(await readiness(), { status: 503, body: behind }, 'a database without the latest migration');
      await sql`insert into drizzle.__drizzle_migrations ${sql(latest ?? {})}`;
      t.match(await readiness(), { status: 200 });

      child.kill('SIGTERM');
      t.same(await once(child, 'exit'), [0, null]);
    },
  );

  t.test(`the operator command of ${name} lists dead letters`, async (t) => {
    const { url, db } = await openDatabase(t, name);
    const error = 'Error: the disk was full\n    at somewhere';
    await db.insert(deadLetters).values({
      consumer: `${name}-test`,
      eventId: 'ev',
      subject: 'lms.test.thing.changed.v1',
      body: '{}',
      headers: {},
      error,
      attempts: 8,
    });
    const run = (...args: string[]) =>
      runScript(programOf(name, 'operator'), { DATABASE_URL: url, ...settings }, ...args);
    t.match(await run('dead-letters', 'list'), {
      code: 0,
      out: /lms\.test\.thing\.changed\.v1 {2}8 attempts {2}Error: the disk was full\n1 dead letters\n$/,
      err: '',
    });
  });
}
