import type { Principal } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import { deadLetters } from '@lms/events/tables';
import { idempotencyKeys } from '@lms/idempotency/table';
import { type AnyColumn, eq, lt, or, sql } from 'drizzle-orm';
import { peopleTable } from './table.ts';

export type Person = typeof peopleTable.$inferSelect;
export type HeardPerson = Omit<Person, 'createdAt' | 'updatedAt'>;

export const people = (db: Db) => ({
  async find(id: string): Promise<Person | undefined> {
    const [person] = await db.select().from(peopleTable).where(eq(peopleTable.id, id));
    return person;
  },

  /** As `find`, and nobody else changes them until the transaction ends. */
  async lock(id: string): Promise<Person | undefined> {
    const [person] = await db.select().from(peopleTable).where(eq(peopleTable.id, id)).for('update');
    return person;
  },

  /** Notes somebody whom identity or a passport vouches for, unless an event has told of them already. */
  async note({ userId, email, firstName, lastName }: Principal) {
    await db.insert(peopleTable).values({ id: userId, email, firstName, lastName }).onConflictDoNothing();
  },

  /** Answers kept for repeated requests hold what somebody wrote, and to admins who somebody is; so do dead letters. */
  async forgetKept(userId: string) {
    const names = (text: AnyColumn) => sql`strpos(${text}, ${userId}) > 0`;
    await db.delete(idempotencyKeys).where(or(eq(idempotencyKeys.userId, userId), names(idempotencyKeys.body)));
    await db.delete(deadLetters).where(names(deadLetters.body));
  },

  async keep({ id, ...facts }: HeardPerson) {
    await db
      .insert(peopleTable)
      .values({ id, ...facts })
      .onConflictDoUpdate({ target: peopleTable.id, set: facts, setWhere: lt(peopleTable.version, facts.version) });
  },
});
