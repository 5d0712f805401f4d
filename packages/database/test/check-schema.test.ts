import { testDatabase } from '@lms/testing/database';
import postgres from 'postgres';
import t from 'tap';
import { checkSchema } from '../src/check-schema.ts';
import { migrateDatabase } from '../src/migrate-database.ts';
import { migrations } from './things.ts';

t.test('the check fails while migrations are missing, and names them', async (t) => {
  const database = await testDatabase(t, migrations(t, 'select 1'));
  const folder = migrations(t, 'create table ages (n integer)');
  await database.sql`drop schema drizzle cascade`;
  const check = checkSchema(database, folder);
  await t.rejects(check(), { message: /^the database lacks 1 migration: 0000_/ }, 'never migrated');
  await migrateDatabase(database.url, folder);
  await t.resolves(check(), 'passes after the migration');
  await database.sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`;
  await t.rejects(check(), { message: /^the database lacks 1 migration: 0000_/ }, 'not migrated far enough');
  await database.sql`update drizzle.__drizzle_migrations set created_at = created_at + 1000`;
  await t.resolves(check(), 'a newer schema passes');
});

t.test('a role without write access can run the check', async (t) => {
  const folder = migrations(t, 'select 1');
  const { url, sql } = await testDatabase(t, folder);
  const role = `reader_${process.pid}`;
  await sql`create role ${sql(role)} login password 'secret'`;
  t.teardown(() => sql`drop role ${sql(role)}`);
  const reader = postgres(Object.assign(new URL(url), { username: role, password: 'secret' }).href, { max: 1 });
  t.teardown(() => reader.end());
  await t.resolves(checkSchema({ sql: reader }, folder)());
  await t.rejects(reader`delete from drizzle.__drizzle_migrations`, { code: '42501' });
});
