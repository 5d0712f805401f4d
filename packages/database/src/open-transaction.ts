import type { PgTransactionConfig } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** A transaction that stays open over several steps of one request. */
export interface OpenTransaction {
  tx: Db;
  /** Resolves after the commit. */
  commit: () => Promise<void>;
  /** Resolves after the rollback, also if the session was lost. */
  rollback: () => Promise<void>;
}

class RolledBack extends Error {
  override name = 'RolledBack';
}

/** Begins a transaction that stays open until the caller commits it or rolls it back. */
export function openTransaction(db: Db, config?: PgTransactionConfig): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const ended = db.transaction(
      (tx) =>
        new Promise<void>((commit, rollback) => {
          resolve({
            tx,
            async commit() {
              commit();
              await ended;
            },
            async rollback() {
              rollback(new RolledBack());
              // Errors do not matter here: PostgreSQL rolls back the transaction of a lost session.
              await ended.catch(() => undefined);
            },
          });
        }),
      config,
    );
    ended.catch(reject);
  });
}
