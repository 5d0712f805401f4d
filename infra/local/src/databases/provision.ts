import postgres, { type Sql } from 'postgres';

export const databases = ['identity', 'content', 'media', 'enrollment'] as const;
export type Database = (typeof databases)[number];

/** Finds something for each database, one after the other. */
export const forEachDatabase = async <T>(find: (name: Database) => Promise<T>): Promise<Record<Database, T>> => ({
  identity: await find('identity'),
  content: await find('content'),
  media: await find('media'),
  enrollment: await find('enrollment'),
});

/** The URLs or passwords of the two roles of a database. */
export interface Roles {
  /** Owns the schema and migrates it. */
  owner: string;
  /** May only read and write rows. */
  service: string;
}

const extensions: Partial<Record<Database, string[]>> = {
  identity: ['pg_trgm', 'unaccent'],
  content: ['pg_trgm', 'unaccent', 'btree_gin'],
  enrollment: ['pg_trgm'],
};

/** Creates or updates a database and its two roles. Idempotent. */
export async function provisionDatabase(superuserUrl: string, name: Database, passwords: Roles): Promise<Roles> {
  const owner = `${name}_owner`;
  const url = changeUrl(superuserUrl, { pathname: `/${name}` });
  await withConnection(superuserUrl, async (sql) => {
    await ensureRole(sql, owner, passwords.owner);
    await ensureRole(sql, name, passwords.service);
    const [found] = await sql`select 1 from pg_database where datname = ${name}`;
    if (!found) await sql.unsafe(`create database ${name} owner ${owner} ${await encodingOptions(sql)}`);
    await sql.unsafe(`
      revoke all on database ${name} from public;
      grant connect on database ${name} to ${name}`);
  });
  await withConnection(url, async (sql) => {
    await sql.unsafe(`
      revoke all on schema public from public;
      alter schema public owner to ${owner};
      grant usage on schema public to ${name};
      alter default privileges for role ${owner} in schema public grant select, insert, update, delete on tables to ${name};
      alter default privileges for role ${owner} in schema public grant usage, select on sequences to ${name}`);
    // A service analyzes a table after it has filled it. Before PostgreSQL 17 only the owner can, and a service goes on without.
    const [version] = await sql`select current_setting('server_version_num')::int >= 170000 as "hasMaintain"`;
    if (version?.hasMaintain)
      await sql.unsafe(`
        alter default privileges for role ${owner} in schema public grant maintain on tables to ${name};
        grant maintain on all tables in schema public to ${name}`);
    for (const extension of extensions[name] ?? []) await sql`create extension if not exists ${sql(extension)}`;
  });
  return {
    owner: changeUrl(url, { username: owner, password: passwords.owner }),
    service: changeUrl(url, { username: name, password: passwords.service }),
  };
}

/** A cluster that was created without a locale, as on a minimal Debian, has the encoding SQL_ASCII. */
async function encodingOptions(sql: Sql): Promise<string> {
  const [template] = await sql`
    select pg_encoding_to_char(encoding) as encoding from pg_database where datname = 'template1'`;
  return template?.encoding === 'UTF8' ? '' : `template template0 encoding 'UTF8' locale 'C.UTF-8'`;
}

/** Reserves the default databases of a cluster for the superuser. Do not call it for external clusters. */
export async function closeMaintenanceDatabases(superuserUrl: string): Promise<void> {
  await withConnection(superuserUrl, async (sql) => {
    await sql`revoke all on database postgres, template1 from public`;
  });
}

async function ensureRole(sql: Sql, role: string, password: string): Promise<void> {
  const [found] = await sql`select 1 from pg_roles where rolname = ${role}`;
  // Utility statements take no parameters, so the password has to be quoted.
  await sql.unsafe(`${found ? 'alter' : 'create'} role ${role}
    login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password.replaceAll("'", "''")}'`);
}

/** Opens one connection for some work without arrays, whose types the driver would have to read first. */
export async function withConnection<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, fetch_types: false, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The URL with another path, user or password. */
const changeUrl = (url: string, changes: { pathname?: string; username?: string; password?: string }): string =>
  Object.assign(new URL(url), changes).href;
