import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import { and, eq, exists, inArray, isNotNull, notExists, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import { type EnrollmentRow, inScope, type Scope } from './repository.ts';
import { type EndReason, openStatuses } from './states.ts';
import { enrollmentTable as table } from './table.ts';

const batchSize = 1_000;
const other = alias(table, 'other');

/** Enrollments that the deletion of a subject or user ended and that its restore can restore. */
const isRestorable = (scope: Scope, reason: EndReason) =>
  and(inScope(scope), eq(table.isRestorable, true), eq(table.endReason, reason));

/** @returns the ids in batches: a statement for all enrollments of a large course would exceed the statement timeout */
async function lock(db: Db, where: SQL | undefined): Promise<string[][]> {
  const rows = await db.select({ id: table.id }).from(table).where(where).orderBy(table.id).for('update');
  const ids = rows.map(({ id }) => id);
  return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, batch) =>
    ids.slice(batch * batchSize, (batch + 1) * batchSize),
  );
}

/** Statements for the deletion, restore and anonymization of subjects and users. */
export const deletions = (db: Db) => ({
  /** Locks open enrollments in the order of their ids, as bulk decisions do: another order could deadlock. */
  lockOpen: (scope: Scope) => lock(db, and(inScope(scope), inArray(table.status, [...openStatuses]))),

  /**
   * Locks the enrollments that a restore changes, and before them their users or subjects, which may be deleted as well. If
   * a subject and its user are restored at the same moment, one of the events can fail by a deadlock and is retried.
   */
  async lockRestorable(scope: Scope, reason: EndReason) {
    const [owner, id] =
      reason === 'SUBJECT_DELETED' ? [userTable, table.userId] : ([outlineTable, table.subjectId] as const);
    const ids = db.select({ id }).from(table).where(isRestorable(scope, reason));
    await db.select({ id: owner.id }).from(owner).where(inArray(owner.id, ids)).orderBy(owner.id).for('share');
    return await lock(db, isRestorable(scope, reason));
  },

  end: (ids: string[], from: EnrollmentStatus, to: EnrollmentStatus, reason: EndReason): Promise<EnrollmentRow[]> =>
    db
      .update(table)
      .set({ status: to, endedAt: new Date(), endedBy: null, endReason: reason, isRestorable: true })
      .where(and(inArray(table.id, ids), eq(table.status, from)))
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

  /**
   * Sets the status back from `to` to `from`, unless the user has opened another enrollment in the subject since, also if
   * that can be restored as well: of those of both deletions, the latest is restored.
   */
  restore: (ids: string[], from: EnrollmentStatus, to: EnrollmentStatus, reason: EndReason): Promise<EnrollmentRow[]> =>
    db
      .update(table)
      .set({ status: from, endedAt: null, endReason: null, isRestorable: false })
      .where(
        and(
          inArray(table.id, ids),
          isRestorable({}, reason),
          eq(table.status, to),
          notExists(
            db
              .select({ one: sql`1` })
              .from(other)
              .where(
                and(
                  eq(other.userId, table.userId),
                  // Not `=`, for which PostgreSQL with old statistics uses an index on the subject, and reads the whole course per row.
                  sql`${other.subjectId} is not distinct from ${table.subjectId}`,
                  or(
                    inArray(other.status, [...openStatuses]),
                    and(
                      eq(other.isRestorable, true),
                      eq(other.endReason, reason),
                      sql`(${other.requestedAt}, ${other.id}) > (${table.requestedAt}, ${table.id})`,
                    ),
                  ),
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
