import { timestamps } from '@lms/database/columns';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';

export type NodeKind = 'level' | 'grade' | 'subject' | 'topic';

/** Our copy of the content tree: names, order and what is live. Content owns the truth and tells every change. */
export const outlineTable = pgTable(
  'outline',
  {
    id: text().primaryKey(),
    kind: text().$type<NodeKind>().notNull(),
    /** Null for levels. No foreign key: a child may be heard of before its parent. */
    parentId: text(),
    name: text().notNull(),
    position: integer().notNull().default(0),
    /** Active and not deleted itself; its ancestors are asked separately. */
    isLive: boolean().notNull(),
    isDeleted: boolean().notNull().default(false),
    /** The version of the last event heard; 0 when known from an answer only. */
    version: integer().notNull().default(0),
    ...timestamps,
  },
  (table) => [index('outline_children').on(table.parentId, table.position)],
);
