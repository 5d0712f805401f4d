import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import {
  containsText,
  type DateRange,
  inDateRange,
  orderByColumns,
  readPage,
  type SortRequest,
} from '@lms/database/paging';
import { prepared } from '@lms/database/prepared';
import { and, eq, getTableColumns, inArray, lte, max, min, or, type SQL, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { nameAndEmail, userTable } from '../users/table.ts';
import { EnrollmentNotFound } from './errors.ts';
import { onceApprovedStatuses } from './states.ts';
import { isActive, enrollmentTable as table } from './table.ts';

export type EnrollmentRow = typeof table.$inferSelect;

/** An enrollment with its current status, and the copies of its subject and user. */
export interface EnrollmentDetails {
  enrollment: Omit<EnrollmentRow, 'isRestorable'>;
  subject: { id: string; name: string; gradeId: string };
  user: { id: string; email: string; firstName: string | null; lastName: string | null };
}

/** With `userId`, an enrollment of another user is not found. */
export interface EnrollmentKey {
  id: string;
  userId?: string;
}

/** All enrollments of a user, of a subject, or of both; without either, all enrollments. */
export interface Scope {
  userId?: string;
  subjectId?: string;
}

export interface EnrollmentFilter extends Scope, DateRange {
  status?: EnrollmentStatus;
  search?: string;
}

/** `createdAt` is the creation of the first enrollment in a subject, `updatedAt` the last change of any of them. */
export interface SubjectQuery extends SortRequest<'name' | 'createdAt' | 'updatedAt'>, DateRange {
  /** Matches the subject's name. */
  search?: string;
}
export type SortField = 'requestedAt' | 'decidedAt' | 'status' | 'createdAt' | 'updatedAt';

// An enrollment counts as EXPIRED from `expiresAt` on, even before the job has stored that status.
export const isPastExpiry = lte(table.expiresAt, sql`now()`);
export const isExpired = sql`coalesce(${table.status} = 'APPROVED' and ${isPastExpiry}, false)`;

const status = sql<EnrollmentStatus>`case when ${isExpired} then 'EXPIRED' else ${table.status} end`;
const endedAt: SQL<Date | null> = sql`case when ${isExpired} then ${table.expiresAt} else ${table.endedAt} end`.mapWith(
  table.endedAt,
);
const updatedAt = sql`case when ${isExpired} then ${table.expiresAt} else ${table.updatedAt} end`.mapWith(
  table.updatedAt,
);

const { isRestorable: _, ...columns } = getTableColumns(table);
const { requestedAt, decidedAt, createdAt } = columns;
export const selection = {
  enrollment: { ...columns, status, endedAt, updatedAt },
  subject: { id: outlineTable.id, name: outlineTable.name, gradeId: sql<string>`${outlineTable.parentId}` },
  user: {
    id: userTable.id,
    email: userTable.email,
    firstName: userTable.firstName,
    lastName: userTable.lastName,
  },
};

const hasStatus = (wanted: EnrollmentStatus) => {
  if (wanted === 'APPROVED') return isActive;
  if (wanted === 'EXPIRED') return or(eq(table.status, wanted), and(eq(table.status, 'APPROVED'), isPastExpiry));
  return eq(table.status, wanted);
};

export const inScope = ({ userId, subjectId }: Scope) =>
  and(
    userId === undefined ? undefined : eq(table.userId, userId),
    subjectId === undefined ? undefined : eq(table.subjectId, subjectId),
  );

const { message, decisionReason, endReason } = table;
const enrollmentTexts = [message, decisionReason, endReason, outlineTable.name];
const userTexts = [nameAndEmail];
/** The columns that `search` matches: only texts that the audience can see. */
const searchColumns = { owner: enrollmentTexts, mentor: userTexts, admin: [...userTexts, ...enrollmentTexts] };
export type Audience = keyof typeof searchColumns;

export const matchesFilter = (filter: EnrollmentFilter, audience: Audience) =>
  and(
    filter.status && hasStatus(filter.status),
    inScope(filter),
    containsText(filter.search, ...searchColumns[audience]),
    ...inDateRange(filter, { createdAt, updatedAt }),
  );

export const matchesKey = ({ id, userId }: EnrollmentKey) =>
  and(eq(table.id, id), inScope(userId === undefined ? {} : { userId }));

export const sortable = { requestedAt, decidedAt, createdAt, status, updatedAt };

const ownedByUser = eq(table.userId, sql.placeholder('userId'));
const ownedInSubject = and(ownedByUser, eq(table.subjectId, sql.placeholder('subjectId')));

const activeInSubject = prepared('active_in_subject', (db) =>
  db.select({ expiresAt: table.expiresAt }).from(table).where(and(ownedInSubject, isActive)),
);

const onceApprovedInSubject = prepared('once_approved_in_subject', (db) =>
  db
    .select({ id: table.id })
    .from(table)
    .where(and(ownedInSubject, inArray(table.status, [...onceApprovedStatuses])))
    .limit(1),
);

const activeSubjects = prepared('active_subjects', (db) =>
  db.select({ subjectId: table.subjectId }).from(table).where(and(ownedByUser, isActive)),
);

export const selectEnrollments = (db: Db) =>
  db
    .select(selection)
    .from(table)
    .innerJoin(outlineTable, eq(outlineTable.id, table.subjectId))
    .innerJoin(userTable, eq(userTable.id, table.userId));

export const enrollments = (db: Db) => {
  return {
    async get(key: EnrollmentKey): Promise<EnrollmentDetails> {
      const [found] = await selectEnrollments(db).where(matchesKey(key));
      if (!found) throw new EnrollmentNotFound();
      return found;
    },

    /** Unknown ids are missing in the result. */
    async listStatuses(ids: string[]): Promise<Map<string, EnrollmentStatus>> {
      const found = await db.select({ id: table.id, status }).from(table).where(inArray(table.id, ids));
      return new Map(found.map((row) => [row.id, row.status]));
    },

    async listByUser(userId: string) {
      const all = await selectEnrollments(db).where(inScope({ userId })).orderBy(table.requestedAt, table.id);
      return all.map(({ enrollment, subject }) => ({ ...enrollment, subject }));
    },

    async listActiveSubjectIds(userId: string): Promise<string[]> {
      const found = await activeSubjects(db).execute({ userId });
      return found.map(({ subjectId }) => subjectId);
    },

    /** The approved, unexpired enrollment of a user in a subject; one lookup in the index `enrollments_one_open`. */
    async findActive(userId: string, subjectId: string) {
      const [found] = await activeInSubject(db).execute({ userId, subjectId });
      return found;
    },

    async hasBeenEnrolled(userId: string, subjectId: string): Promise<boolean> {
      const [found] = await onceApprovedInSubject(db).execute({ userId, subjectId });
      return found !== undefined;
    },

    /** The subjects that a user is or was enrolled in. */
    async listSubjects(userId: string, query: SubjectQuery) {
      const { name } = outlineTable;
      const times = { createdAt: min(table.createdAt), updatedAt: max(updatedAt) };
      const selectSubjects = () =>
        db
          .select(selection.subject)
          .from(table)
          .innerJoin(outlineTable, eq(outlineTable.id, table.subjectId))
          .where(
            and(
              inScope({ userId }),
              inArray(table.status, [...onceApprovedStatuses]),
              containsText(query.search, name),
            ),
          )
          .groupBy(outlineTable.id)
          .having(and(...inDateRange(query, times)))
          .$dynamic();
      const ordered = selectSubjects().orderBy(...orderByColumns(query, { name, ...times }, outlineTable.id));
      return readPage(query, ordered, db.$count(selectSubjects().as('subjects')));
    },
  };
};
