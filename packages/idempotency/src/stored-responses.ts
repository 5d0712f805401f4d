import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { and, eq, gt, inArray, lt, type Placeholder, sql } from 'drizzle-orm';
import { idempotencyKeys } from './table.ts';

/** A key is valid for one caller and one path. */
export interface ScopedKey {
  userId: string;
  path: string;
  key: string;
}

interface ClaimOptions {
  waits: boolean;
  replaces: boolean;
}

export type StoredResponse = typeof idempotencyKeys.$inferSelect;

const oneDayAgo = sql`now() - interval '24 hours'`;

const lockIdOf = ({ userId, path, key }: ScopedKey) => sql`hashtextextended(${JSON.stringify([userId, path, key])}, 0)`;

const hasKey = ({ path, key }: Record<'path' | 'key', string | Placeholder>) =>
  and(eq(idempotencyKeys.path, path), eq(idempotencyKeys.key, key));
const matches = (scoped: ScopedKey) => and(eq(idempotencyKeys.userId, scoped.userId), hasKey(scoped));

const { placeholder } = sql;
const anyKey = { path: placeholder('path'), key: placeholder('key') };
const anyCaller = inArray(idempotencyKeys.userId, [placeholder('userId'), placeholder('subject')]);
const storedResponse = prepared('stored_response', (db) =>
  db
    .select()
    .from(idempotencyKeys)
    .where(and(anyCaller, hasKey(anyKey), gt(idempotencyKeys.createdAt, oneDayAgo))),
);

/** The responses of the last 24 hours, and the locks of running requests. */
export const storedResponses = (db: Db) => ({
  /**
   * Adds a row for the response, which other requests see when the transaction has been committed. Locks the key until then.
   * Its body is JSON already, because the transaction may search all bodies for personal data.
   * @param waits until no other transaction holds the lock; otherwise returns false
   * @param replaces a stored response
   * @returns false if there is a response
   */
  async claim(scoped: ScopedKey, bodyHash: string, { waits, replaces }: ClaimOptions): Promise<boolean> {
    const lock = waits
      ? sql`pg_advisory_xact_lock(${lockIdOf(scoped)})`
      : sql`pg_try_advisory_xact_lock(${lockIdOf(scoped)}) as locked where locked`;
    // The conflict is also found with a response that was stored while this statement waited.
    const claimed = await db.execute(sql`
      insert into ${idempotencyKeys} as stored (user_id, path, key, body_hash, status, body)
      select ${scoped.userId}, ${scoped.path}, ${scoped.key}, ${bodyHash}, 0, 'null' from ${lock}
      on conflict (user_id, path, key) do update set body_hash = excluded.body_hash, created_at = now()
      where stored.created_at <= ${oneDayAgo} or ${replaces} returning status`);
    return claimed.length > 0;
  },
  /** @param subject the caller before the account existed */
  async find(scoped: ScopedKey, subject = scoped.userId): Promise<StoredResponse | undefined> {
    const [response] = await storedResponse(db).execute({ ...scoped, subject });
    return response;
  },
  /** Completes the row of `claim`. */
  async store(scoped: ScopedKey, response: { status: number; body: string }) {
    await db.update(idempotencyKeys).set(response).where(matches(scoped));
  },
  async deleteExpired() {
    await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, oneDayAgo));
  },
});
