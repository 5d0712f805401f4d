import { createId, instant, timestamps } from '@lms/database/columns';
import { doublePrecision, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';

/** What somebody has done with a topic. It outlives the enrollment. Percentages are computed, never stored. */
export const topicProgressTable = pgTable(
  'topic_progress',
  {
    /** Names the row in events; it is found by user and topic. */
    id: text().notNull().unique().$defaultFn(createId),
    userId: text()
      .notNull()
      .references(() => userTable.id),
    topicId: text()
      .notNull()
      .references(() => outlineTable.id),
    completedAt: instant(),
    positionSeconds: doublePrecision().notNull().default(0),
    furthestSeconds: doublePrecision().notNull().default(0),
    durationSeconds: doublePrecision(),
    ...timestamps,
  },
  (table) => [primaryKey({ columns: [table.userId, table.topicId] })],
);
