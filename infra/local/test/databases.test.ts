import postgres from 'postgres';
import t from 'tap';
import { closeMaintenanceDatabases, databases, provisionDatabase, type Roles } from '../src/databases/provision.ts';
import { startPostgres } from '../src/embedded/start-embedded.ts';
import { makeDirectory } from './programs/run-program.ts';

const directory = makeDirectory(t);
const server = await startPostgres({ directory, settings: { fsync: 'off' } });
await closeMaintenanceDatabases(server.url);
const urls = new Map<string, Roles>();
const passwords = { owner: 'owner-password', service: 'service-password' };
for (const name of databases) urls.set(name, await provisionDatabase(server.url, name, passwords));

/** Runs statements as one role and returns the SQLSTATE of the first error, or "ok". */
async function attempt(url: string, ...statements: string[]): Promise<string> {
  const sql = postgres(url, { max: 1, connect_timeout: 60, onnotice: () => {} });
  try {
    for (const statement of statements) await sql.unsafe(statement);
    return 'ok';
  } catch (error) {
    return error instanceof postgres.PostgresError ? error.code : String(error);
  } finally {
    await sql.end();
  }
}

function urlOf(name: string, role: 'owner' | 'service', database = name): string {
  const url = new URL(urls.get(name)?.[role] ?? '');
  url.pathname = database;
  return url.href;
}

await t.test('a role can connect only to its own database', async (t) => {
  for (const name of databases) {
    for (const database of [...databases, 'postgres', 'template1']) {
      const expected = database === name ? 'ok' : '42501';
      t.equal(await attempt(urlOf(name, 'service', database), 'select 1'), expected, `${name} at ${database}`);
      t.equal(await attempt(urlOf(name, 'owner', database), 'select 1'), expected, `${name}_owner at ${database}`);
    }
  }
});

await t.test(
  'a service role can read and write the rows of tables that the owner created, and cannot create any',
  async (t) => {
    const table = 'create table things (id bigserial primary key, name text)';
    t.equal(await attempt(urlOf('media', 'owner'), table), 'ok');
    const rows = [
      "insert into things (name) values ('a')",
      "update things set name = 'b'",
      'select * from things',
      'delete from things',
    ];
    t.equal(await attempt(urlOf('media', 'service'), ...rows), 'ok');
    const sql = postgres(urlOf('media', 'service'), { max: 1 });
    await sql`analyze things`;
    const [analyzed] = await sql`select last_analyze from pg_stat_user_tables where relname = 'things'`;
    t.ok(analyzed?.last_analyze, 'it can analyze what it has filled');
    await sql.end();
    t.equal(await attempt(urlOf('media', 'service'), 'drop table things'), '42501');
    t.equal(await attempt(urlOf('media', 'service'), 'create table others (id int)'), '42501');
    t.equal(await attempt(urlOf('media', 'service'), 'create schema others'), '42501');
    t.equal(await attempt(urlOf('media', 'service'), 'create database others'), '42501');
    t.equal(await attempt(urlOf('media', 'service'), 'create role other'), '42501');
  },
);

await t.test('a wrong password is rejected', async (t) => {
  const url = new URL(urlOf('content', 'service'));
  url.password = 'guessed';
  t.equal(await attempt(url.href, 'select 1'), '28P01');
});

await t.test('provisioning again keeps the rows and changes the passwords', async (t) => {
  const statements = ['create table things (id int)', 'insert into things values (1)'];
  t.equal(await attempt(urlOf('enrollment', 'owner'), ...statements), 'ok');
  const { service } = await provisionDatabase(server.url, 'enrollment', { owner: 'other', service: 'another' });
  const sql = postgres(service, { max: 1 });
  t.same([...(await sql`select id from things`)], [{ id: 1 }]);
  await sql.end();
  t.equal(await attempt(urlOf('enrollment', 'service'), 'select 1'), '28P01');
});

await t.test('text is compared by code point, and case conversion includes non-ASCII letters', async (t) => {
  const sql = postgres(urls.get('content')?.service ?? '', { max: 1 });
  const [row] =
    await sql`select lower('ÄÖÜ') as lower, 'Éa' ilike 'éA' as alike, similarity('algebra', 'algebre') > 0.3 as near`;
  t.same(row, { lower: 'äöü', alike: true, near: true });
  await sql.end();
});

await t.test('a database is created with UTF8 where that is not the default of the cluster', async (t) => {
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  await sql`drop database media`;
  await sql`alter database template1 is_template false`;
  await sql`drop database template1`;
  await sql`create database template1 template template0 encoding 'SQL_ASCII' locale 'C' locale_provider libc is_template true`;
  await sql.end();
  const { owner } = await provisionDatabase(server.url, 'media', passwords);
  t.equal(await attempt(owner, `select chr(1114111)`), 'ok');
});

await server.stop();
