import { sql } from 'drizzle-orm';
import type { ParameterOrJSON, Sql, TransactionSql, UnsafeQueryOptions } from 'postgres';
import type { Db } from './db.ts';

/**
 * A query of fixed text with `sql.placeholder`s, for hot paths: its SQL is built once for a pool, and PostgreSQL parses it
 * once for a connection. In a transaction the SQL is built again. Pass ids and times as placeholders, because column
 * defaults in JavaScript are evaluated when the SQL is built.
 *
 * Lists with optional filters are not prepared: PostgreSQL has to plan them for their values.
 */
export function prepared<T>(name: string, build: (db: Db) => { prepare: (name: string) => T }): (db: Db) => T {
  const queries = new WeakMap<Db, T>();
  return (db) => {
    const existing = queries.get(db);
    if (existing) return existing;
    const query = build(db).prepare(name);
    queries.set(db, query);
    return query;
  };
}

/**
 * The limit of a prepared list, as text of the statement: with a parameter, PostgreSQL expects a tenth of the rows, and
 * would plan the list again for each request. Drizzle accepts the text, but its types only numbers.
 */
export const literalLimit = (limit: number) => sql.raw(String(limit)) as unknown as number;

// Statements with more parameters contain a list; each length of it would be another prepared statement.
const maxParameters = 64;

/** The driver for drizzle, which itself prepares only queries with a name: in transactions, prepares all short statements. */
export const preparingTransactions = (driver: Sql): Sql =>
  Object.assign(Object.create(driver), {
    begin: (work: (tx: TransactionSql) => unknown) => driver.begin((tx) => work(preparing(tx))),
  });

const preparing = (tx: TransactionSql): TransactionSql =>
  Object.assign(Object.create(tx), {
    unsafe: (text: string, parameters: ParameterOrJSON<never>[] = [], options: UnsafeQueryOptions = {}) =>
      tx.unsafe(text, parameters, { ...options, prepare: parameters.length <= maxParameters }),
    savepoint: (work: (inner: TransactionSql) => unknown) => tx.savepoint((inner) => work(preparing(inner))),
  });
