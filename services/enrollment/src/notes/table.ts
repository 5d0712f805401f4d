import { id, timestamps } from '@lms/database/columns';
import { doublePrecision, index, pgTable, text } from 'drizzle-orm/pg-core';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';

/** A private note of a user. Kept after the enrollment has ended. */
export const noteTable = pgTable(
  'notes',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => userTable.id),
    topicId: text()
      .notNull()
      .references(() => outlineTable.id),
    content: text().notNull(),
    positionSeconds: doublePrecision(),
    ...timestamps,
  },
  (table) => [
    index('notes_by_user').on(table.userId, table.createdAt, table.id),
    index('notes_by_topic').on(table.userId, table.topicId),
  ],
);
