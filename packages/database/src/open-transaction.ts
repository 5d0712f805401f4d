import type { Db } from './db.ts';

/** A transaction that stays open over several steps of one request. */
export interface OpenTransaction {
  tx: Db;
  /** Resolves once everything is durable. */
  commit: () => Promise<void>;
  /** Resolves once nothing of it is left, which a lost session is no hindrance to. */
  rollback: () => Promise<void>;
}

class RolledBack extends Error {
  override name = 'RolledBack';
}

/** Begins a transaction that ends when the caller says so, instead of with a function. */
export function openTransaction(db: Db): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const ended = db.transaction(
      (tx) =>
        new Promise<void>((commit, abandon) => {
          resolve({
            tx,
            async commit() {
              commit();
              await ended;
            },
            async rollback() {
              abandon(new RolledBack());
              // It is gone however that ends: PostgreSQL undoes what a lost session leaves behind.
              await ended.catch(() => undefined);
            },
          });
        }),
    );
    ended.catch(reject);
  });
}
