import type { Db } from '@lms/database/connect';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { idempotencyKeys } from './table.ts';

/** A key is valid for one caller and one path. */
export interface ScopedKey {
  userId: string;
  path: string;
  key: string;
}

export type StoredResponse = typeof idempotencyKeys.$inferSelect;

const oneDayAgo = sql`now() - interval '24 hours'`;

const lockIdOf = ({ userId, path, key }: ScopedKey) => sql`hashtextextended(${JSON.stringify([userId, path, key])}, 0)`;

const matches = ({ userId, path, key }: ScopedKey) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.path, path), eq(idempotencyKeys.key, key));

/** The responses of the last 24 hours, and the locks of running requests. */
export const storedResponses = (db: Db) => ({
  /** Locks the key until the transaction ends. Returns false if another transaction holds the lock. */
  async tryLock(key: ScopedKey): Promise<boolean> {
    const [row] = await db.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${lockIdOf(key)}) as locked`,
    );
    return row?.locked === true;
  },
  /** Waits until no other transaction holds the lock. Outside a transaction, this one is released at once. */
  waitForLock: (key: ScopedKey) => db.execute(sql`select pg_advisory_xact_lock(${lockIdOf(key)})`),
  async find(key: ScopedKey): Promise<StoredResponse | undefined> {
    const [response] = await db
      .select()
      .from(idempotencyKeys)
      .where(and(matches(key), gt(idempotencyKeys.createdAt, oneDayAgo)));
    return response;
  },
  async store(key: ScopedKey, response: { bodyHash: string; status: number; body: string }) {
    await db.delete(idempotencyKeys).where(matches(key));
    await db.insert(idempotencyKeys).values({ ...key, ...response });
  },
  async deleteExpired() {
    await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, oneDayAgo));
  },
});
