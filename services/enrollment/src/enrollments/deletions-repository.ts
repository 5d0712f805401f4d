import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import { and, eq, exists, inArray, isNotNull, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import { type EnrollmentRow, inScope, type Scope } from './repository.ts';
import { type EndReason, openStatuses } from './states.ts';
import { enrollmentTable as table } from './table.ts';

const other = alias(table, 'other');

/** What the deletion of a subject or a user ended, for as long as a restore may bring it back. */
const isRestorable = (of: Scope, reason: EndReason) =>
  and(inScope(of), eq(table.isRestorable, true), eq(table.endReason, reason));

/** What the deletion of a subject or of a user does to the enrollments in it or theirs, and what restores undo. */
export const deletions = (db: Db) => ({
  /** Locks what is open, in the order of the ids, as a decision about many at once does. */
  lockOpen: (of: Scope) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(inScope(of), inArray(table.status, [...openStatuses])))
      .orderBy(table.id)
      .for('update'),

  end: (of: Scope, from: EnrollmentStatus, to: EnrollmentStatus, reason: EndReason): Promise<EnrollmentRow[]> =>
    db
      .update(table)
      .set({ status: to, endedAt: new Date(), endedBy: null, endReason: reason, isRestorable: true })
      .where(and(inScope(of), eq(table.status, from)))
      .returning(),

  /** Those whose other party is deleted as well wait for that one's restore instead. */
  async deferRestore(of: Scope, reason: EndReason) {
    const one = { one: sql`1` };
    const [gone, next] =
      reason === 'SUBJECT_DELETED'
        ? [
            db
              .select(one)
              .from(userTable)
              .where(and(eq(userTable.id, table.userId), eq(userTable.isDeleted, true))),
            'USER_DELETED',
          ]
        : [
            db
              .select(one)
              .from(outlineTable)
              .where(and(eq(outlineTable.id, table.subjectId), eq(outlineTable.isDeleted, true))),
            'SUBJECT_DELETED',
          ];
    await db
      .update(table)
      .set({ endReason: next })
      .where(and(isRestorable(of, reason), exists(gone)));
  },

  /** Brings back to `from` what a deletion had turned to `to`, unless the user has an open one again. */
  restore: (of: Scope, from: EnrollmentStatus, to: EnrollmentStatus, reason: EndReason): Promise<EnrollmentRow[]> =>
    db
      .update(table)
      .set({ status: from, endedAt: null, endReason: null, isRestorable: false })
      .where(
        and(
          isRestorable(of, reason),
          eq(table.status, to),
          notExists(
            db
              .select({ one: sql`1` })
              .from(other)
              .where(
                and(
                  eq(other.userId, table.userId),
                  eq(other.subjectId, table.subjectId),
                  inArray(other.status, [...openStatuses]),
                ),
              ),
          ),
        ),
      )
      .returning(),

  /** What was not brought back stays history, whatever is deleted and restored later. */
  async finishRestore(of: Scope, reason: EndReason) {
    await db.update(table).set({ isRestorable: false }).where(isRestorable(of, reason));
  },

  /** Removes what the user wrote; that an enrollment was asked for stays. */
  async deleteMessages(userId: string) {
    await db
      .update(table)
      .set({ message: null })
      .where(and(inScope({ userId }), isNotNull(table.message)));
  },
});
