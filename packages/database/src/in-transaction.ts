import { is } from 'drizzle-orm';
import { PgTransaction } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/**
 * Does the work in the transaction `db` if it is one, otherwise in a new one. `db.transaction` would begin a nested one
 * with a savepoint, which is only needed if the outer one continues after an error.
 */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  is(db, PgTransaction) ? work(db) : db.transaction(work);
