import type { Registry } from '@lms/telemetry/registry';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import type { Db } from './db.ts';
import { recordPoolMetrics } from './pool-metrics.ts';
import { preparingTransactions } from './prepared.ts';

export type { Db };

export interface Database {
  db: Db;
  /** The driver, for statements that need their own session (advisory locks). */
  sql: Sql;
  /** Resolves if the database responds. */
  ping: () => Promise<unknown>;
  close: () => Promise<void>;
}

export interface ConnectOptions {
  /** The maximum number of connections. */
  max?: number;
  applicationName?: string;
  /** How long a query waits for a connection. Shorter than the timeouts of those who wait for the response. */
  acquireTimeoutSeconds?: number;
  /** The registry for the pool's metrics. */
  registry?: Registry;
}

/** Creates a pool. Connections are opened by queries, and reopened after they are lost. */
export function connect(
  url: string,
  { max = 10, applicationName = 'lms', acquireTimeoutSeconds = 3, registry }: ConnectOptions = {},
): Database {
  const sql = postgres(url, {
    max,
    connect_timeout: acquireTimeoutSeconds - 1,
    acquire_timeout: acquireTimeoutSeconds,
    // Each connection attempt fails one waiting query: with longer pauses, the other queries would hang in an outage
    // instead of failing, and the pool would notice late that the database is back.
    backoff: () => 0.1,
    onnotice: () => undefined,
    connection: {
      application_name: applicationName,
      statement_timeout: 15_000,
      // Shorter, so that a wait for a lock has another error than a slow statement.
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 30_000,
      TimeZone: 'UTC',
    },
  });
  if (registry) recordPoolMetrics(registry, sql, max);
  return {
    db: drizzle(preparingTransactions(sql), { casing: 'snake_case' }),
    sql,
    ping: () => sql`select 1`,
    close: () => sql.end({ timeout: 5 }),
  };
}
