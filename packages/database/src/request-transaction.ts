import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from './db.ts';

/** A transaction that is kept open over several steps of one request. */
export interface OpenTransaction {
  tx: Db;
  /** Resolves once everything is durable. */
  commit: () => Promise<void>;
  /** Resolves once nothing of it is left, which a lost session is no hindrance to. */
  rollback: () => Promise<void>;
}

const current = new AsyncLocalStorage<{ tx: Db | undefined }>();

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

/** Runs `callback`, and all that it starts, inside a transaction; the function returned steps out of it again. */
export function enterTransaction(tx: Db, callback: () => void): () => void {
  const store: { tx: Db | undefined } = { tx };
  current.run(store, callback);
  return () => {
    store.tx = undefined;
  };
}

/** The same connection, which joins the transaction that its caller has entered, if any. */
export function joinTransactions(db: Db): Db {
  return new Proxy(db, {
    get(target, property) {
      const joined = current.getStore()?.tx ?? target;
      const value: unknown = Reflect.get(joined, property, joined);
      return typeof value === 'function' ? value.bind(joined) : value;
    },
  });
}
