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

export interface RolePasswords {
  owner: string;
  service: string;
}

export interface DatabaseUrls {
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
export async function provisionDatabase(
  superuserUrl: string,
  name: Database,
  passwords: RolePasswords,
): Promise<DatabaseUrls> {
  const owner = `${name}_owner`;
  const url = changeUrl(superuserUrl, { pathname: `/${name}` });
  await withConnection(superuserUrl, async (sql) => {
    await ensureRole(sql, owner, passwords.owner);
    await ensureRole(sql, name, passwords.service);
    const existing = await sql`select 1 from pg_database where datname = ${name}`;
    if (existing.length === 0)
      await sql`create database ${sql(name)} owner ${sql(owner)} ${(await isUtf8(sql)) ? sql`` : utf8(sql)}`;
    await sql`revoke all on database ${sql(name)} from public`;
    await sql`grant connect on database ${sql(name)} to ${sql(name)}`;
  });
  await withConnection(url, async (sql) => {
    await sql`revoke all on schema public from public`;
    await sql`alter schema public owner to ${sql(owner)}`;
    await sql`grant usage on schema public to ${sql(name)}`;
    await sql`alter default privileges for role ${sql(owner)} in schema public
      grant select, insert, update, delete on tables to ${sql(name)}`;
    await sql`alter default privileges for role ${sql(owner)} in schema public
      grant usage, select on sequences to ${sql(name)}`;
    await permitAnalyze(sql, owner, name);
    for (const extension of extensions[name] ?? []) await sql`create extension if not exists ${sql(extension)}`;
  });
  return {
    owner: changeUrl(url, { username: owner, password: passwords.owner }),
    service: changeUrl(url, { username: name, password: passwords.service }),
  };
}

/** A cluster that was created without a locale, as on a minimal Debian, has the encoding SQL_ASCII. */
async function isUtf8(sql: Sql): Promise<boolean> {
  const [template] = await sql`
    select pg_encoding_to_char(encoding) = 'UTF8' as "isUtf8" from pg_database where datname = 'template1'`;
  return template?.isUtf8 === true;
}

const utf8 = (sql: Sql) => sql`template template0 encoding 'UTF8' locale 'C.UTF-8'`;

/** A service analyzes a table after it has filled it. Before PostgreSQL 17 only the owner can, and a service goes on without. */
async function permitAnalyze(sql: Sql, owner: string, name: string): Promise<void> {
  const [version] = await sql`select current_setting('server_version_num')::int >= 170000 as "hasMaintain"`;
  if (!version?.hasMaintain) return;
  await sql`alter default privileges for role ${sql(owner)} in schema public grant maintain on tables to ${sql(name)}`;
  await sql`grant maintain on all tables in schema public to ${sql(name)}`;
}

/** Reserves the default databases of a cluster for the superuser. Do not call it for external clusters. */
export async function closeMaintenanceDatabases(superuserUrl: string): Promise<void> {
  await withConnection(superuserUrl, async (sql) => {
    await sql`revoke all on database postgres, template1 from public`;
  });
}

async function ensureRole(sql: Sql, role: string, password: string): Promise<void> {
  const existing = await sql`select 1 from pg_roles where rolname = ${role}`;
  if (existing.length === 0) await sql`create role ${sql(role)}`;
  // Utility statements take no parameters, so the password has to be quoted.
  const quoted = password.replaceAll("'", "''");
  await sql.unsafe(
    `alter role "${role}" login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${quoted}'`,
  );
}

/** Opens one connection for some work. */
export async function withConnection<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The URL with another path, user or password. */
const changeUrl = (url: string, changes: { pathname?: string; username?: string; password?: string }): string =>
  Object.assign(new URL(url), changes).href;
