import type { Db } from '@lms/database/connect';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { idempotencyKeys } from './table.ts';

/** Who asked for what under which key. */
export interface Claim {
  userId: string;
  path: string;
  key: string;
}

export type StoredResponse = typeof idempotencyKeys.$inferSelect;

const yesterday = sql`now() - interval '24 hours'`;

const isFor = ({ userId, path, key }: Claim) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.path, path), eq(idempotencyKeys.key, key));

/** The answers given within the last 24 hours, and who is giving one right now. */
export const storedResponses = (db: Db) => ({
  /** Holds the claim until the transaction ends; false while another transaction holds it. */
  async claim({ userId, path, key }: Claim): Promise<boolean> {
    const words = JSON.stringify([userId, path, key]);
    const [row] = await db.execute<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${words}, 0)) as held`,
    );
    return row?.held === true;
  },
  async find(claim: Claim): Promise<StoredResponse | undefined> {
    const [answer] = await db
      .select()
      .from(idempotencyKeys)
      .where(and(isFor(claim), gt(idempotencyKeys.createdAt, yesterday)));
    return answer;
  },
  async store(claim: Claim, answer: { bodyHash: string; status: number; body: string }) {
    await db.delete(idempotencyKeys).where(isFor(claim));
    await db.insert(idempotencyKeys).values({ ...claim, ...answer });
  },
  async sweep() {
    await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, yesterday));
  },
});
