import { testDatabase } from '@lms/testing/database';
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
