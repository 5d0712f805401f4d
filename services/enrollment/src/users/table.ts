import { timestamps } from '@lms/database/columns';
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** Our copy of what lists show of a user. Identity owns the truth and tells every change. */
export const userTable = pgTable('people', {
  id: text().primaryKey(),
  email: text().notNull(),
  firstName: text(),
  lastName: text(),
  isDeleted: boolean().notNull().default(false),
  /** The version of the last event heard; 0 when known from a passport only. */
  version: integer().notNull().default(0),
  ...timestamps,
});
