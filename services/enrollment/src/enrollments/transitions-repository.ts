import type { Db } from '@lms/database/connect';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import {
  type EnrollmentKey,
  type EnrollmentRow,
  inScope,
  isExpired,
  isPastExpiry,
  matchesKey,
  type Scope,
} from './repository.ts';
import { openStatuses, type Transition } from './states.ts';
import { enrollmentTable as table } from './table.ts';

export type NewEnrollment = typeof table.$inferInsert;

/** How enrollments come into being and go from state to state; each is one statement, so that of several one wins. */
export const enrollmentTransitions = (db: Db) => ({
  /** Inserts unless the user has an open one in the subject already. */
  async insertOpen(values: NewEnrollment): Promise<EnrollmentRow | undefined> {
    const target = [table.userId, table.subjectId];
    const [inserted] = await db
      .insert(table)
      .values(values)
      .onConflictDoNothing({ target, where: inArray(table.status, [...openStatuses]) })
      .returning();
    return inserted;
  },

  /** Makes the move if the enrollment stands where the move starts; of several at once, one gets the row. */
  async transition(
    which: EnrollmentKey,
    { from, to }: Pick<Transition, 'from' | 'to'>,
    settled: Partial<EnrollmentRow>,
  ): Promise<EnrollmentRow | undefined> {
    const [moved] = await db
      .update(table)
      .set({ ...settled, status: to })
      .where(and(matchesKey(which), eq(table.status, from), sql`not ${isExpired}`))
      .returning();
    return moved;
  },

  /**
   * Makes the move for those of some enrollments that stand where it starts. They are locked in the order of their ids:
   * two who decide the same ones in different orders would deadlock otherwise.
   */
  async transitionAll(
    ids: string[],
    { from, to }: Pick<Transition, 'from' | 'to'>,
    settled: Partial<EnrollmentRow>,
  ): Promise<EnrollmentRow[]> {
    const locked = await db
      .select({ id: table.id })
      .from(table)
      .where(and(inArray(table.id, ids), eq(table.status, from), sql`not ${isExpired}`))
      .orderBy(table.id)
      .for('update');
    if (locked.length === 0) return [];
    return db
      .update(table)
      .set({ ...settled, status: to })
      .where(
        inArray(
          table.id,
          locked.map(({ id }) => id),
        ),
      )
      .returning();
  },

  /** Turns what is past its end into what it counts as since; what somebody else is at work on is left to them. */
  expire(of: Scope, limit: number): Promise<EnrollmentRow[]> {
    const due = db
      .select({ id: table.id })
      .from(table)
      .where(and(inScope(of), eq(table.status, 'APPROVED'), isPastExpiry))
      .orderBy(table.expiresAt)
      .limit(limit)
      .for('update', { skipLocked: true });
    return db
      .update(table)
      .set({ status: 'EXPIRED', endedAt: sql`${table.expiresAt}`, updatedAt: sql`${table.expiresAt}` })
      .where(inArray(table.id, due))
      .returning();
  },

  /** What we have heard of a subject and a user, kept from changing until the transaction ends. */
  async lockSubjectAndUser(subjectId: string, userId: string) {
    const [subject] = await db
      .select({ isDeleted: outlineTable.isDeleted, version: outlineTable.version })
      .from(outlineTable)
      .where(eq(outlineTable.id, subjectId))
      .for('share');
    const [user] = await db
      .select({ isDeleted: userTable.isDeleted })
      .from(userTable)
      .where(eq(userTable.id, userId))
      .for('share');
    return { subject, user };
  },
});
