import type { Db } from '@lms/database/connect';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import { type EnrollmentRow, isExpired } from './repository.ts';
import { isOpen, enrollmentTable as table } from './table.ts';
import type { NewEnrollment } from './transitions-repository.ts';

interface Pair {
  userId: string;
  subjectId: string;
}

const placementOrder = (one: Pair, other: Pair) =>
  one.userId < other.userId || (one.userId === other.userId && one.subjectId < other.subjectId) ? -1 : 1;

/** Statements for many enrollments. Rows are locked in the order of their ids: another order could deadlock. */
export const bulk = (db: Db) => ({
  /** The local copies of subjects, locked against deletion until the transaction ends. */
  async lockSubjects(ids: string[]) {
    const { id, isDeleted, version } = outlineTable;
    const rows = await db
      .select({ id, isDeleted, version })
      .from(outlineTable)
      .where(inArray(id, ids))
      .orderBy(id)
      .for('share');
    return new Map(rows.map((row) => [row.id, row]));
  },

  /** The local copies of users, locked against deletion until the transaction ends. */
  async lockUsers(ids: string[]) {
    const { id, isDeleted } = userTable;
    const rows = await db.select({ id, isDeleted }).from(userTable).where(inArray(id, ids)).orderBy(id).for('share');
    return new Map(rows.map((row) => [row.id, row]));
  },

  /** The open enrollments of users in subjects, also those past their `expiresAt`. */
  lockOpen: (pairs: Pair[]) =>
    db
      .select({
        id: table.id,
        userId: table.userId,
        subjectId: table.subjectId,
        status: table.status,
        isExpired: sql<boolean>`${isExpired}`,
      })
      .from(table)
      .where(and(isOpen, isOneOf(pairs)))
      .orderBy(table.id)
      .for('update'),

  /** Stores EXPIRED for locked enrollments past their `expiresAt`. */
  async expire(ids: string[]): Promise<EnrollmentRow[]> {
    if (ids.length === 0) return [];
    return db
      .update(table)
      .set({ status: 'EXPIRED', endedAt: sql`${table.expiresAt}`, updatedAt: sql`${table.expiresAt}` })
      .where(and(inArray(table.id, ids), eq(table.status, 'APPROVED')))
      .returning();
  },

  /** Leaves out those of users who have an open enrollment in the subject. */
  async insertOpen(values: NewEnrollment[]): Promise<EnrollmentRow[]> {
    if (values.length === 0) return [];
    const target = [table.userId, table.subjectId];
    return db
      .insert(table)
      .values(values.toSorted(placementOrder))
      .onConflictDoNothing({ target, where: isOpen })
      .returning();
  },
});

const isOneOf = (pairs: Pair[]) =>
  sql`(${table.userId}, ${table.subjectId}) in (select * from unnest(
    ${sql.param(pairs.map(({ userId }) => userId))}::text[], ${sql.param(pairs.map(({ subjectId }) => subjectId))}::text[]))`;
