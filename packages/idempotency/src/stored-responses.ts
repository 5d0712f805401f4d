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

const matches = ({ userId, path, key }: ScopedKey) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.path, path), eq(idempotencyKeys.key, key));

/** The responses of the last 24 hours, and the locks of running requests. */
export const storedResponses = (db: Db) => ({
  /** Locks the key until the transaction ends. Returns false if another transaction holds the lock. */
  async tryLock({ userId, path, key }: ScopedKey): Promise<boolean> {
    const text = JSON.stringify([userId, path, key]);
    const [row] = await db.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${text}, 0)) as locked`,
    );
    return row?.locked === true;
  },
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
