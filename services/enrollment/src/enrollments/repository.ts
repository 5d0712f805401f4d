import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import { type DateRange, ordering, type SortRequest, window, within } from '@lms/database/paging';
import { and, count, eq, getTableColumns, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { peopleTable } from '../people/table.ts';
import { EnrollmentNotFound } from './errors.ts';
import { type Move, openStatuses } from './states.ts';
import { enrollmentTable as table } from './table.ts';

export type Row = typeof table.$inferSelect;
export type NewEnrollment = typeof table.$inferInsert;

/** Which one is meant; with `userId`, another user's counts as unknown. */
export interface Which {
  id: string;
  userId?: string;
}

export interface Filter extends DateRange {
  status?: EnrollmentStatus;
  userId?: string;
  subjectId?: string;
}
export type SortField = 'requestedAt' | 'decidedAt' | 'status' | 'createdAt' | 'updatedAt';

// Expiry is in force the moment it passes, whether or not it has been swept up.
const hasPassed = lte(table.expiresAt, sql`now()`);
const isDue = sql`coalesce(${table.status} = 'APPROVED' and ${hasPassed}, false)`;
const isInForce = sql`${table.status} = 'APPROVED' and (${or(isNull(table.expiresAt), gt(table.expiresAt, sql`now()`))})`;

const status = sql<EnrollmentStatus>`case when ${isDue} then 'EXPIRED' else ${table.status} end`;
const endedAt: SQL<Date | null> = sql`case when ${isDue} then ${table.expiresAt} else ${table.endedAt} end`.mapWith(
  table.endedAt,
);
const updatedAt = sql`case when ${isDue} then ${table.expiresAt} else ${table.updatedAt} end`.mapWith(table.updatedAt);

const { isRestorable: _, ...columns } = getTableColumns(table);
const shown = {
  enrollment: { ...columns, status, endedAt, updatedAt },
  subject: { id: outlineTable.id, name: outlineTable.name, gradeId: sql<string>`${outlineTable.parentId}` },
  user: {
    id: peopleTable.id,
    email: peopleTable.email,
    firstName: peopleTable.firstName,
    lastName: peopleTable.lastName,
  },
};

const standsAt = (asked: EnrollmentStatus) => {
  if (asked === 'APPROVED') return isInForce;
  if (asked === 'EXPIRED') return or(eq(table.status, asked), and(eq(table.status, 'APPROVED'), hasPassed));
  return eq(table.status, asked);
};

const matching = (filter: Filter) =>
  and(
    filter.status && standsAt(filter.status),
    filter.userId === undefined ? undefined : eq(table.userId, filter.userId),
    filter.subjectId === undefined ? undefined : eq(table.subjectId, filter.subjectId),
    ...within(filter, table),
  );

const meant = ({ id, userId }: Which) =>
  and(eq(table.id, id), userId === undefined ? undefined : eq(table.userId, userId));

const sortable = {
  requestedAt: table.requestedAt,
  decidedAt: table.decidedAt,
  status: table.status,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
};

export const enrollments = (db: Db) => {
  const selectShown = () =>
    db
      .select(shown)
      .from(table)
      .innerJoin(outlineTable, eq(outlineTable.id, table.subjectId))
      .innerJoin(peopleTable, eq(peopleTable.id, table.userId));

  return {
    async get(which: Which) {
      const [found] = await selectShown().where(meant(which));
      if (!found) throw new EnrollmentNotFound();
      return flatten(found);
    },

    async list(filter: Filter, page: SortRequest<SortField>) {
      const where = matching(filter);
      const [items, [counted]] = await Promise.all([
        selectShown()
          .where(where)
          .orderBy(...ordering(page, sortable, table.id))
          .limit(window(page).limit)
          .offset(window(page).offset),
        db.select({ total: count() }).from(table).where(where),
      ]);
      return { items: items.map(flatten), total: counted?.total ?? 0 };
    },

    /** The enrollment that lets a user into a subject right now: one look into the index of open ones. */
    async findInForce(userId: string, subjectId: string) {
      const [found] = await db
        .select({ expiresAt: table.expiresAt })
        .from(table)
        .where(and(eq(table.userId, userId), eq(table.subjectId, subjectId), isInForce));
      return found;
    },

    /** Inserts unless the user has an open one in the subject already. */
    async insertOpen(values: NewEnrollment): Promise<Row | undefined> {
      const target = [table.userId, table.subjectId];
      const [inserted] = await db
        .insert(table)
        .values(values)
        .onConflictDoNothing({ target, where: inArray(table.status, [...openStatuses]) })
        .returning();
      return inserted;
    },

    /** Makes the move if the enrollment stands where the move starts; of several at once, one gets the row. */
    async move(which: Which, { from, to }: Move, settled: Partial<Row>): Promise<Row | undefined> {
      const [moved] = await db
        .update(table)
        .set({ ...settled, status: to })
        .where(and(meant(which), eq(table.status, from), sql`not ${isDue}`))
        .returning();
      return moved;
    },

    /** What we have heard of a subject and a user, kept from changing until the transaction ends. */
    async lockParties(subjectId: string, userId: string) {
      const [subject] = await db
        .select({ isDeleted: outlineTable.isDeleted, version: outlineTable.version })
        .from(outlineTable)
        .where(eq(outlineTable.id, subjectId))
        .for('share');
      const [user] = await db
        .select({ isDeleted: peopleTable.isDeleted })
        .from(peopleTable)
        .where(eq(peopleTable.id, userId))
        .for('share');
      return { subject, user };
    },
  };
};

const flatten = <E extends object, S, U>({ enrollment, subject, user }: { enrollment: E; subject: S; user: U }) => ({
  ...enrollment,
  subject,
  user,
});
