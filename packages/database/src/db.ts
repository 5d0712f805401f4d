import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';

/** A connection or a transaction: repositories work on both. */
export type Db = PgDatabase<PostgresJsQueryResultHKT>;
