import { timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** The text that searches of users match. */
export const nameAndEmail = sql`(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || E'\\n' || email)`;

/** A local copy of users for lists, updated by identity's events. */
export const userTable = pgTable(
  'people',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    firstName: text(),
    lastName: text(),
    isDeleted: boolean().notNull().default(false),
    /** The version of the last event; 0 if the user is known only from a passport or a response of identity. */
    version: integer().notNull().default(0),
    ...timestamps,
  },
  () => [index('people_search').using('gin', sql`${nameAndEmail} gin_trgm_ops`)],
);
