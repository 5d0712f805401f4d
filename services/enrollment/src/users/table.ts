import { timestamps } from '@lms/database/columns';
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** A local copy of users for lists, updated by identity's events. */
export const userTable = pgTable('people', {
  id: text().primaryKey(),
  email: text().notNull(),
  firstName: text(),
  lastName: text(),
  isDeleted: boolean().notNull().default(false),
  /** The version of the last event; 0 if the user is known only from a passport or a response of identity. */
  version: integer().notNull().default(0),
  ...timestamps,
});
