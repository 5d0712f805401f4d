import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { joinTransactions } from './request-transaction.ts';

/** A connection or a transaction: repositories work on both. */
export type Db = PgDatabase<PostgresJsQueryResultHKT>;

export interface Database {
  db: Db;
  /** The driver itself, for what needs a session of its own (advisory locks). */
  sql: Sql;
  /** Resolves when the database answers. */
  ping: () => Promise<unknown>;
  close: () => Promise<void>;
}

export interface ConnectOptions {
  /** Most connections held at once. */
  max?: number;
  applicationName?: string;
}

/** Opens a pool; the first connection is made by the first query, and lost ones are made anew. */
export function connect(url: string, { max = 10, applicationName = 'lms' }: ConnectOptions = {}): Database {
  const sql = postgres(url, {
    max,
    connect_timeout: 2,
    // A returned database is found again within seconds, not after the driver's default of up to 20.
    backoff: (attempt) => Math.min(0.1 * 2 ** attempt, 2),
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      statement_timeout: 15_000,
      idle_in_transaction_session_timeout: 30_000,
      TimeZone: 'UTC',
    },
  });
  return {
    db: joinTransactions(drizzle(sql, { casing: 'snake_case' })),
    sql,
    ping: () => sql`select 1`,
    close: () => sql.end({ timeout: 5 }),
  };
}
