import { type EnrollmentStatus, type enrollmentSources, enrollmentStatuses } from '@lms/contracts/events/enrollment';
import { id, instant, timestamps } from '@lms/database/columns';
import { gt, isNull, or, sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import { openStatuses } from './states.ts';

const sqlList = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));
// Constants instead of parameters, here and in `isActive`: the plan of a prepared statement could not use the partial indexes.
export const isOpen = sql`status in (${sqlList(openStatuses)})`;

export const enrollmentTable = pgTable(
  'enrollments',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => userTable.id),
    subjectId: text()
      .notNull()
      .references(() => outlineTable.id),
    status: text().$type<EnrollmentStatus>().notNull(),
    source: text().$type<(typeof enrollmentSources)[number]>().notNull(),
    message: text(),
    requestedAt: instant().notNull().defaultNow(),
    decidedAt: instant(),
    decidedBy: text(),
    decisionReason: text(),
    expiresAt: instant(),
    endedAt: instant(),
    endedBy: text(),
    endReason: text(),
    /** Ended by the deletion of its subject or user; a restore of that subject or user undoes it. */
    isRestorable: boolean().notNull().default(false),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('enrollments_one_open').on(table.userId, table.subjectId).where(isOpen),
    index('enrollments_by_user').on(table.userId, table.requestedAt),
    index('enrollments_by_subject').on(table.subjectId, table.requestedAt),
    // Has all that the roster of a subject is counted and ordered by, so that this reads no rows.
    index('enrollments_of_subject').on(table.subjectId, table.status, table.requestedAt, table.id, table.expiresAt),
    index('enrollments_by_status').on(table.status, table.requestedAt, table.id),
    index('enrollments_by_request').on(table.requestedAt, table.id),
    index('enrollments_by_decision').on(table.decidedAt, table.id),
    index('enrollments_by_creation').on(table.createdAt, table.id),
    index('enrollments_by_update').on(table.updatedAt, table.id),
    index('enrollments_by_status_and_id').on(table.status, table.id),
    index('enrollments_texts').using(
      'gin',
      table.message.op('gin_trgm_ops'),
      table.decisionReason.op('gin_trgm_ops'),
      table.endReason.op('gin_trgm_ops'),
    ),
    index('enrollments_expiring').on(table.expiresAt).where(sql`status = 'APPROVED'`),
    check('enrollments_status', sql`status in (${sqlList(enrollmentStatuses)})`),
  ],
);

/** Approved and not past `expiresAt`. */
export const isActive = sql`${enrollmentTable.status} = 'APPROVED' and (${or(isNull(enrollmentTable.expiresAt), gt(enrollmentTable.expiresAt, sql`now()`))})`;
