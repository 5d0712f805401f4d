import { join } from 'node:path';
import { migrateDatabase } from '@lms/database/migrate-database';
import { startPostgres } from 'local/embedded';
import { root } from 'local/processes/node-process';
import postgres, { type Sql } from 'postgres';

/** Starts a PostgreSQL in the directory. */
export async function openPostgres(directory: string) {
  // What a commit waits for belongs to the disk, not to what is measured.
  const settings = { fsync: 'off' };
  const server = await startPostgres({ directory: join(directory, 'postgres'), settings });
  const connections: Sql[] = [];
  const connect = (url: string) => {
    // Filling takes longer than a statement of a service may.
    const sql = postgres(url, { max: 1, onnotice: () => undefined, connection: { statement_timeout: 0 } });
    connections.push(sql);
    return sql;
  };
  const administration = connect(server.url);
  return {
    /** Of the postmaster. */
    pid: server.pid ?? 0,
    /** Creates a database, with the tables of a service if one is named, and connects to it as the superuser. */
    async createDatabase(name: string, service?: string) {
      await administration`create database ${administration(name)}`;
      const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
      if (service) await migrateDatabase(url, join(root, `services/${service}/migrations`));
      return { url, sql: connect(url) };
    },
    async stop() {
      for (const sql of connections) await sql.end();
      await server.stop();
    },
  };
}

/** Fills tables without their indexes, but unique ones, and rebuilds them at the end: faster than for every row. */
export async function fillWithoutIndexes(sql: Sql, tables: string[], fill: () => Promise<unknown>) {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = any(${tables}) and indexdef not like '%UNIQUE%'`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  await fill();
  for (const { definition } of indexes) await sql.unsafe(definition);
  for (const table of tables) await sql`vacuum analyze ${sql(table)}`;
}
