import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  limitAndOffset,
  orderByColumns,
  type SortRequest,
} from '@lms/database/paging';
import { and, count, eq, getTableColumns, gt, inArray, isNull, lte, max, min, or, type SQL, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { peopleTable } from '../people/table.ts';
import { EnrollmentNotFound } from './errors.ts';
import { onceEnrolled } from './states.ts';
import { enrollmentTable as table } from './table.ts';

export type Row = typeof table.$inferSelect;

/** Which one is meant; with `userId`, another user's counts as unknown. */
export interface Which {
  id: string;
  userId?: string;
}

/** Whose, of which subject: all of both when neither is said. */
export interface Of {
  userId?: string;
  subjectId?: string;
}

export interface Filter extends Of, DateRange {
  status?: EnrollmentStatus;
  search?: string;
}
/** The subjects that a user learns; their times are those of the first and of the last change to an enrollment in them. */
export interface SubjectQuery extends SortRequest<'name' | 'createdAt' | 'updatedAt'>, DateRange {
  /** Looked for in the subject's name. */
  search?: string;
}
export type SortField = 'requestedAt' | 'decidedAt' | 'status' | 'createdAt' | 'updatedAt';

// Expiry is in force the moment it passes, whether or not it has been swept up.
export const hasPassed = lte(table.expiresAt, sql`now()`);
export const isDue = sql`coalesce(${table.status} = 'APPROVED' and ${hasPassed}, false)`;
const isInForce = sql`${table.status} = 'APPROVED' and (${or(isNull(table.expiresAt), gt(table.expiresAt, sql`now()`))})`;

const status = sql<EnrollmentStatus>`case when ${isDue} then 'EXPIRED' else ${table.status} end`;
const endedAt: SQL<Date | null> = sql`case when ${isDue} then ${table.expiresAt} else ${table.endedAt} end`.mapWith(
  table.endedAt,
);
const updatedAt = sql`case when ${isDue} then ${table.expiresAt} else ${table.updatedAt} end`.mapWith(table.updatedAt);

const { isRestorable: _, ...columns } = getTableColumns(table);
const { requestedAt, decidedAt, createdAt } = columns;
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

export const belonging = ({ userId, subjectId }: Of) =>
  and(
    userId === undefined ? undefined : eq(table.userId, userId),
    subjectId === undefined ? undefined : eq(table.subjectId, subjectId),
  );

const fullName = sql`concat_ws(' ', ${peopleTable.firstName}, ${peopleTable.lastName})`;

const { message, decisionReason, endReason } = table;
const ofEnrollment = [message, decisionReason, endReason, outlineTable.name];
const ofUser = [peopleTable.email, fullName];
/** What a search looks into: of what each audience is shown, the texts. */
const searched = { owner: ofEnrollment, mentor: ofUser, admin: [...ofUser, ...ofEnrollment] };
export type Audience = keyof typeof searched;

const matching = (filter: Filter, audience: Audience) =>
  and(
    filter.status && standsAt(filter.status),
    belonging(filter),
    containsText(filter.search, ...searched[audience]),
    ...inDateRange(filter, { createdAt, updatedAt }),
  );

export const meant = ({ id, userId }: Which) =>
  and(eq(table.id, id), belonging(userId === undefined ? {} : { userId }));

const sortable = { requestedAt, decidedAt, createdAt, status, updatedAt };

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

    /** The states of those of some enrollments that exist. */
    async statusesOf(ids: string[]): Promise<Map<string, EnrollmentStatus>> {
      const found = await db.select({ id: table.id, status }).from(table).where(inArray(table.id, ids));
      return new Map(found.map((row) => [row.id, row.status]));
    },

    async list(filter: Filter, page: SortRequest<SortField>, audience: Audience) {
      const where = matching(filter, audience);
      const counting = db.select({ total: count() }).from(table);
      const [items, [counted]] = await Promise.all([
        selectShown()
          .where(where)
          .orderBy(...orderByColumns(page, sortable, table.id))
          .limit(limitAndOffset(page).limit)
          .offset(limitAndOffset(page).offset),
        filter.search === undefined
          ? counting.where(where)
          : counting
              .innerJoin(outlineTable, eq(outlineTable.id, table.subjectId))
              .innerJoin(peopleTable, eq(peopleTable.id, table.userId))
              .where(where),
      ]);
      return { items: items.map(flatten), total: counted?.total ?? 0 };
    },

    async listAll(userId: string) {
      const all = await selectShown().where(belonging({ userId })).orderBy(table.requestedAt, table.id);
      return all.map(({ enrollment, subject }) => ({ ...enrollment, subject }));
    },

    /** The subjects that a user is let into right now. */
    async listSubjectsInForce(userId: string): Promise<string[]> {
      const found = await db
        .select({ subjectId: table.subjectId })
        .from(table)
        .where(and(belonging({ userId }), isInForce));
      return found.map(({ subjectId }) => subjectId);
    },

    /** The enrollment that lets a user into a subject right now: one look into the index of open ones. */
    async findInForce(userId: string, subjectId: string) {
      const [found] = await db
        .select({ expiresAt: table.expiresAt })
        .from(table)
        .where(and(belonging({ userId, subjectId }), isInForce));
      return found;
    },

    async wasOnceEnrolled(userId: string, subjectId: string): Promise<boolean> {
      const [found] = await db
        .select({ id: table.id })
        .from(table)
        .where(and(belonging({ userId, subjectId }), inArray(table.status, [...onceEnrolled])))
        .limit(1);
      return found !== undefined;
    },

    /** The subjects that a user is or once was enrolled in. */
    async listSubjects(userId: string, query: SubjectQuery) {
      const { name } = outlineTable;
      const times = { createdAt: min(table.createdAt), updatedAt: max(updatedAt) };
      const selectSubjects = () =>
        db
          .select(shown.subject)
          .from(table)
          .innerJoin(outlineTable, eq(outlineTable.id, table.subjectId))
          .where(and(belonging({ userId }), inArray(table.status, [...onceEnrolled]), containsText(query.search, name)))
          .groupBy(outlineTable.id)
          .having(and(...inDateRange(query, times)))
          .$dynamic();
      const [items, total] = await Promise.all([
        selectSubjects()
          .orderBy(...orderByColumns(query, { name, ...times }, outlineTable.id))
          .limit(limitAndOffset(query).limit)
          .offset(limitAndOffset(query).offset),
        db.$count(selectSubjects().as('subjects')),
      ]);
      return { items, total };
    },
  };
};

const flatten = <E extends object, S, U>({ enrollment, subject, user }: { enrollment: E; subject: S; user: U }) => ({
  ...enrollment,
  subject,
  user,
});
