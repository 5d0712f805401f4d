import type { Db } from '@lms/database/connect';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import {
  type EnrollmentDetails,
  type EnrollmentKey,
  type EnrollmentRow,
  inScope,
  isExpired,
  isPastExpiry,
  matchesKey,
  type Scope,
} from './repository.ts';
import type { Transition } from './states.ts';
import { isOpen, enrollmentTable as table } from './table.ts';

export type NewEnrollment = typeof table.$inferInsert;

/** An enrollment as it was just written, with the copies of its subject and user. */
export type StoredEnrollment = Omit<EnrollmentDetails, 'enrollment'> & { enrollment: EnrollmentRow };

/** Checks and changes the status in one statement, so that one of several concurrent calls succeeds. */
export const enrollmentTransitions = (db: Db) => ({
  /** @returns undefined if the user already has an open enrollment in the subject */
  async insertOpen(values: NewEnrollment): Promise<EnrollmentRow | undefined> {
    const target = [table.userId, table.subjectId];
    const [inserted] = await db.insert(table).values(values).onConflictDoNothing({ target, where: isOpen }).returning();
    return inserted;
  },

  /** @returns undefined if the enrollment does not exist or its status is not `from` */
  async transition(
    key: EnrollmentKey,
    { from, to }: Pick<Transition, 'from' | 'to'>,
    fields: Partial<EnrollmentRow>,
  ): Promise<StoredEnrollment | undefined> {
    const updated = db.$with('updated').as(
      db
        .update(table)
        .set({ ...fields, status: to })
        .where(and(matchesKey(key), eq(table.status, from), sql`not ${isExpired}`))
        .returning(),
    );
    const [found] = await db
      .with(updated)
      .select()
      .from(updated)
      .innerJoin(outlineTable, eq(outlineTable.id, updated.subjectId))
      .innerJoin(userTable, eq(userTable.id, updated.userId));
    return found && { enrollment: found.updated, subject: toSubject(found.outline), user: found.people };
  },

  /**
   * Updates the enrollments whose status is `from`. Locks them in the order of their ids: two concurrent calls with the
   * same ids in different orders would deadlock otherwise.
   */
  async transitionAll(
    ids: string[],
    { from, to }: Pick<Transition, 'from' | 'to'>,
    fields: Partial<EnrollmentRow>,
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
      .set({ ...fields, status: to })
      .where(
        inArray(
          table.id,
          locked.map(({ id }) => id),
        ),
      )
      .returning();
  },

  /** Skips rows that another transaction has locked. */
  expire(scope: Scope, limit: number): Promise<EnrollmentRow[]> {
    const due = db
      .select({ id: table.id })
      .from(table)
      .where(and(inScope(scope), eq(table.status, 'APPROVED'), isPastExpiry))
      .orderBy(table.expiresAt)
      .limit(limit)
      .for('update', { skipLocked: true });
    return db
      .update(table)
      .set({ status: 'EXPIRED', endedAt: sql`${table.expiresAt}`, updatedAt: sql`${table.expiresAt}` })
      .where(inArray(table.id, due))
      .returning();
  },

  /** Locks the local copies of a subject and a user until the transaction ends. */
  async lockSubjectAndUser(subjectId: string, userId: string) {
    const [locked] = await db
      .select()
      .from(outlineTable)
      .innerJoin(userTable, eq(userTable.id, userId))
      .where(eq(outlineTable.id, subjectId))
      .for('share');
    if (!locked) throw new Error('the local copies of the subject and the user are missing');
    return { subject: { ...locked.outline, ...toSubject(locked.outline) }, user: locked.people };
  },
});

const toSubject = ({ id, name, parentId }: typeof outlineTable.$inferSelect) => ({ id, name, gradeId: parentId ?? '' });
