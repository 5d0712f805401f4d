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
