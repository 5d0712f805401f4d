import { testDatabase } from '@lms/testing/database';
import t from 'tap';
import { listTables, migrationsOf } from '../src/databases.ts';
import { withSql } from './test-system.ts';

t.test('tables come after all that they refer to, and circular references are an error', async (t) => {
  const { url } = await testDatabase(t, migrationsOf('enrollment'));
  await withSql(url, async (sql) => {
    await sql.unsafe(`
      create schema other;
      create table other.b (id int primary key);
      drop schema public cascade;
      create schema public;
      create table d (id int primary key, own int references d);
      create table c (id int primary key references d);
      create table b (id int primary key references d references c);
      create table a (id int primary key references b references other.b);
      create table e (id int primary key);`);
    t.same(await listTables(sql), ['d', 'e', 'c', 'b', 'a']);
    await sql`alter table d add foreign key (id) references a`;
    await t.rejects(listTables(sql), { message: 'tables have circular references' });
  });
});
