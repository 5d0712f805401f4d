import type { Principal } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import { deadLetters } from '@lms/events/tables';
import { idempotencyKeys } from '@lms/idempotency/table';
import { type AnyColumn, eq, lt, or, sql } from 'drizzle-orm';
import { userTable } from './table.ts';

export type User = typeof userTable.$inferSelect;
export type UserValues = Omit<User, 'createdAt' | 'updatedAt'>;

export const users = (db: Db) => ({
  async find(id: string): Promise<User | undefined> {
    const [person] = await db.select().from(userTable).where(eq(userTable.id, id));
    return person;
  },

  /** As `find`, and nobody else changes them until the transaction ends. */
  async lock(id: string): Promise<User | undefined> {
    const [person] = await db.select().from(userTable).where(eq(userTable.id, id)).for('update');
    return person;
  },

  /** Notes somebody whom identity or a passport vouches for, unless an event has told of them already. */
  async insertIfAbsent({ userId, email, firstName, lastName }: Principal) {
    await db.insert(userTable).values({ id: userId, email, firstName, lastName }).onConflictDoNothing();
  },

  /** Answers kept for repeated requests hold what somebody wrote, and to admins who somebody is; so do dead letters. */
  async deletePersonalCopies(userId: string) {
    const names = (text: AnyColumn) => sql`strpos(${text}, ${userId}) > 0`;
    await db.delete(idempotencyKeys).where(or(eq(idempotencyKeys.userId, userId), names(idempotencyKeys.body)));
    await db.delete(deadLetters).where(names(deadLetters.body));
  },

  async upsert({ id, ...facts }: UserValues) {
    await db
      .insert(userTable)
      .values({ id, ...facts })
      .onConflictDoUpdate({ target: userTable.id, set: facts, setWhere: lt(userTable.version, facts.version) });
  },
});
