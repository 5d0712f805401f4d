import { instant } from '@lms/database/columns';
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/** Responses by key, stored for 24 hours. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: text().notNull(),
    path: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    status: integer().notNull(),
    body: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.path, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);
