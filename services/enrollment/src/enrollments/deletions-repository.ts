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

/** Enrollments that the deletion of a subject or user ended and that its restore can restore. */
const isRestorable = (scope: Scope, reason: EndReason) =>
  and(inScope(scope), eq(table.isRestorable, true), eq(table.endReason, reason));

/** Statements for the deletion, restore and anonymization of subjects and users. */
export const deletions = (db: Db) => ({
  /** Locks open enrollments in the order of their ids, as bulk decisions do: another order could deadlock. */
  lockOpen: (scope: Scope) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(inScope(scope), inArray(table.status, [...openStatuses])))
      .orderBy(table.id)
      .for('update'),

  end: (scope: Scope, from: EnrollmentStatus, to: EnrollmentStatus, reason: EndReason): Promise<EnrollmentRow[]> =>
    db
      .update(table)
      .set({ status: to, endedAt: new Date(), endedBy: null, endReason: reason, isRestorable: true })
      .where(and(inScope(scope), eq(table.status, from)))
      .returning(),

  /** Enrollments whose subject and user are both deleted are restored with the last of them: changes `endReason` to it. */
  async deferRestore(scope: Scope, reason: EndReason) {
    const one = { one: sql`1` };
    const [deletedOwner, nextReason] =
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
      .set({ endReason: nextReason })
      .where(and(isRestorable(scope, reason), exists(deletedOwner)));
  },

  /** Sets the status back from `to` to `from`, unless the user has opened another enrollment in the subject since. */
  restore: (scope: Scope, from: EnrollmentStatus, to: EnrollmentStatus, reason: EndReason): Promise<EnrollmentRow[]> =>
    db
      .update(table)
      .set({ status: from, endedAt: null, endReason: null, isRestorable: false })
      .where(
        and(
          isRestorable(scope, reason),
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

  /** Enrollments that were not restored now are never restored later. */
  async finishRestore(scope: Scope, reason: EndReason) {
    await db.update(table).set({ isRestorable: false }).where(isRestorable(scope, reason));
  },

  /** Deletes what the user wrote and keeps the enrollments. */
  async deleteMessages(userId: string) {
    await db
      .update(table)
      .set({ message: null })
      .where(and(inScope({ userId }), isNotNull(table.message)));
  },
});
