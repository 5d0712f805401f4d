import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase } from '@lms/testing/database';
import { waitFor } from '@lms/testing/wait-for';
import { createId } from '@paralleldrive/cuid2';
import t from 'tap';
import { migrateDatabase } from '../src/migrate-database.ts';
import { migrations } from './things.ts';

t.test('if several processes migrate at once, one does it and the others wait', async (t) => {
  const { url, sql } = await testDatabase(t, migrations(t, 'select 1'));
  await sql`drop schema drizzle cascade`;
  const folder = migrations(
    t,
    'create table once (n integer); --> statement-breakpoint\nselect pg_sleep(0.2); --> statement-breakpoint\ninsert into once values (1)',
  );
  await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(url, folder)));
  await migrateDatabase(url, folder);
  t.same(await sql`select n from once`, [{ n: 1 }]);
});

t.test('tests of one process can create databases with the same new migrations at once', async (t) => {
  const folder = migrations(t, `select '${createId()}'`);
  const copy = join(folder, 'copy');
  cpSync(join(folder, 'meta'), join(copy, 'meta'), { recursive: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql')))
    cpSync(join(folder, file), join(copy, file));
  const [one, other] = await Promise.all([testDatabase(t, folder), testDatabase(t, copy)]);
  t.not(one.url, other.url);
});

t.test('a failing migration is rolled back, releases the lock and reports its error', async (t) => {
  const { url, sql } = await testDatabase(t, migrations(t, 'select 1'));
  await sql`drop schema drizzle cascade`;
  const broken = migrations(t, 'create table halfway (n integer); --> statement-breakpoint\nselect nonsense');
  const outcomes = await Promise.allSettled([migrateDatabase(url, broken), migrateDatabase(url, broken)]);
  for (const outcome of outcomes) {
    t.equal(outcome.status, 'rejected');
    if (outcome.status === 'rejected') t.match(String(outcome.reason.cause ?? outcome.reason), /nonsense/);
  }
  t.same(await sql`select 1 from pg_tables where tablename = 'halfway'`, []);
  await migrateDatabase(url, migrations(t, 'create table halfway (n integer)'));
});

t.test('a migration that waits for a lock lets requests pass, and completes when the lock is free', async (t) => {
  const { url, sql } = await testDatabase(t, migrations(t));
  await sql`insert into things (id, name) select n::text, 'Thing ' || n from generate_series(1, 20000) n`;
  await sql`drop schema drizzle cascade`;
  let written = 0;
  let migrated: Promise<void> | undefined;
  await sql.begin(async (tx) => {
    await tx`select 1 from things limit 1`;
    migrated = migrateDatabase(url, migrations(t, 'alter table things add column extra text default now()::text'));
    await waitFor(
      async () =>
        (
          await sql`
            select 1 from pg_locks join pg_database on pg_database.oid = database
            where not granted and datname = current_database()`
        ).length > 0,
    );
    for (const id of ['1', '2', '3']) {
      await sql`update things set name = ${`Renamed ${id}`} where id = ${id}`;
      written += 1;
    }
  });
  t.equal(written, 3, 'while the lock was held');
  await migrated;
  t.match(await sql`select name, extra from things where id = '1'`, [{ name: 'Renamed 1', extra: /^\d/ }]);
});

t.test('a migration that PostgreSQL ends because of a deadlock is applied again', async (t) => {
  const { url, sql } = await testDatabase(t, migrations(t));
  await sql`create table approvals (n integer)`;
  await sql`drop schema drizzle cascade`;
  const folder = migrations(
    t,
    'alter table things add column extra text; --> statement-breakpoint\nalter table approvals add column extra text',
  );
  const locksOf = (granted: boolean) => async () => {
    const [row] = await sql`
      select count(*)::int as total from pg_locks
      where relation = 'things'::regclass and mode = 'AccessExclusiveLock' and granted = ${granted}`;
    return row?.total > 0;
  };
  let migrated: Promise<void> | undefined;
  await sql.begin(async (tx) => {
    // The other transaction looks for a deadlock too late, so that PostgreSQL ends the migration.
    await tx`set local deadlock_timeout = '1min'`;
    await tx`insert into approvals values (1)`;
    migrated = migrateDatabase(url, folder);
    await waitFor(locksOf(true));
    await tx`select 1 from things`;
  });
  await migrated;
  t.same(await sql`select n, extra from approvals`, [{ n: 1, extra: null }]);
});

t.test('a new database with another encoding than UTF8 is refused', async (t) => {
  const { url, sql } = await testDatabase(t, migrations(t));
  const name = `${new URL(url).pathname.slice(1)}_ascii`;
  await sql`create database ${sql(name)} template template0 encoding 'SQL_ASCII' locale 'C' locale_provider libc`;
  t.teardown(() => sql`drop database ${sql(name)}`);
  const ascii = Object.assign(new URL(url), { pathname: name }).href;
  await t.rejects(migrateDatabase(ascii, migrations(t)), {
    message: 'The database has the encoding SQL_ASCII, but UTF8 is required',
  });
});
