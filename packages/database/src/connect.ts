import type { Registry } from '@lms/telemetry/registry';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import type { Db } from './db.ts';
import { recordPoolMetrics } from './pool-metrics.ts';

export type { Db };

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
  /** Where the pool is measured. */
  registry?: Registry;
}

/** Opens a pool; the first connection is made by the first query, and lost ones are made anew. */
export function connect(url: string, { max = 10, applicationName = 'lms', registry }: ConnectOptions = {}): Database {
  const sql = postgres(url, {
    max,
    connect_timeout: 2,
    // Each connection serves one waiting query per attempt: with longer pauses, those behind it would hang in an outage
    // instead of failing, and a database that returned would not be noticed.
    backoff: () => 0.1,
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      statement_timeout: 15_000,
      idle_in_transaction_session_timeout: 30_000,
      TimeZone: 'UTC',
    },
  });
  if (registry) recordPoolMetrics(registry, sql, max);
  return {
    db: drizzle(sql, { casing: 'snake_case' }),
    sql,
    ping: () => sql`select 1`,
    close: () => sql.end({ timeout: 5 }),
  };
}
