import { createId, instant, timestamps } from '@lms/database/columns';
import { doublePrecision, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';

/** A user's progress in a topic. Kept after the enrollment has ended. Percentages are computed, never stored. */
export const topicProgressTable = pgTable(
  'topic_progress',
  {
    /** The aggregate id in events; queries use the primary key. */
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
