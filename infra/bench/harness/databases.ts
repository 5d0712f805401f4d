import { join } from 'node:path';
import { migrateDatabase } from '@lms/database/migrate-database';
import { startPostgres } from 'local/embedded';
import postgres, { type Sql } from 'postgres';
import { root } from './processes.ts';

interface Contents {
  /** The service whose migrations are applied. */
  service?: string;
  /** Fills it. */
  seed?: (sql: Sql) => Promise<void>;
}

export interface DatabaseOptions {
  /** Whatever BENCH_POSTGRES_URL is: for a measurement of its processor time. */
  own?: boolean;
}

/**
 * Opens a PostgreSQL of its own in the directory, or that of the superuser `BENCH_POSTGRES_URL`, where the databases are
 * dropped at the end unless BENCH_KEEP is set.
 */
export async function openPostgres(directory: string, { own = false }: DatabaseOptions = {}) {
  const given = own ? undefined : process.env.BENCH_POSTGRES_URL;
  // What a commit waits for belongs to the disk, not to what is measured.
  const settings = { fsync: 'off' };
  const server =
    given === undefined ? await startPostgres({ directory: join(directory, 'postgres'), settings }) : undefined;
  const superuserUrl = given ?? server?.url ?? '';
  const administration = postgres(superuserUrl, { max: 1, onnotice: () => undefined });
  const created: string[] = [];
  const drop = (database: string) => administration`drop database if exists ${administration(database)} with (force)`;

  const connections: Sql[] = [];

  /** Creates a database and returns its URL. A database that a previous run has kept is used as it is. */
  async function createDatabase(name: string, { service, seed }: Contents): Promise<string> {
    const database = `bench_${name}`;
    const url = Object.assign(new URL(superuserUrl), { pathname: `/${database}` }).href;
    if (!process.env.BENCH_KEEP) await drop(database);
    const [kept] = await administration`select from pg_database where datname = ${database}`;
    if (!kept) await administration`create database ${administration(database)}`;
    created.push(database);
    if (service) await migrateDatabase(url, join(root, `services/${service}/migrations`));
    if (kept || !seed) return url;
    const sql = postgres(url, { max: 1, onnotice: () => undefined, connection: { statement_timeout: 0 } });
    await seed(sql);
    await sql.end();
    return url;
  }

  return {
    createDatabase,
    /** Creates the database of a service, and connects to it. */
    async openDatabase(name: string, service: string) {
      const url = await createDatabase(name, { service });
      const sql = postgres(url, { max: 1 });
      connections.push(sql);
      return { url, sql };
    },
    /** Of the postmaster, if the server is our own. */
    pid: server?.pid ?? 0,
    async stop() {
      for (const sql of connections) await sql.end();
      if (!process.env.BENCH_KEEP) for (const database of created) await drop(database);
      await administration.end();
      await server?.stop();
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
