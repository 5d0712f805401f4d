import { applicationStatuses } from '@lms/contracts/events/identity';
import { id, instant, timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../users/table.ts';

/** Applications of learners to become mentors. */
export const mentorApplications = pgTable(
  'mentor_applications',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: applicationStatuses }).notNull().default('PENDING'),
    motivation: text(),
    experience: text(),
    qualifications: text(),
    subjectIds: text().array().notNull().default([]),
    reviewedBy: text(),
    reviewedAt: instant(),
    reviewNote: text(),
    ...timestamps,
  },
  (table) => [
    uniqueIndex('mentor_applications_one_open').on(table.userId).where(sql`status = 'PENDING'`),
    index('mentor_applications_user').on(table.userId, table.createdAt, table.id),
    index('mentor_applications_status').on(table.status, table.createdAt, table.id),
    index('mentor_applications_created').on(table.createdAt, table.id),
    index('mentor_applications_texts').using(
      'gin',
      table.motivation.op('gin_trgm_ops'),
      table.experience.op('gin_trgm_ops'),
      table.qualifications.op('gin_trgm_ops'),
      table.reviewNote.op('gin_trgm_ops'),
    ),
  ],
);
