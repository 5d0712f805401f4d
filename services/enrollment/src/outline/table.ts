import { timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, pgView, text } from 'drizzle-orm/pg-core';

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
    /** Active and not deleted itself; whether its ancestors are is the view's business. */
    isLive: boolean().notNull(),
    isDeleted: boolean().notNull().default(false),
    /** The version of the last event heard; 0 when known from an answer only. */
    version: integer().notNull().default(0),
    ...timestamps,
  },
  (table) => [index('outline_children').on(table.parentId, table.position)],
);

/** Topics that are live with all their ancestors. An ancestor that nobody has told us of yet does not hide them. */
export const liveTopics = pgView('live_topics', {
  id: text().notNull(),
  subjectId: text().notNull(),
  name: text().notNull(),
  position: integer().notNull(),
}).as(sql`
  select topic.id, topic.parent_id as subject_id, topic.name, topic.position
  from outline topic
  left join outline subject on subject.id = topic.parent_id
  left join outline grade on grade.id = subject.parent_id
  left join outline level on level.id = grade.parent_id
  where topic.kind = 'topic' and topic.is_live and coalesce(subject.is_live, true)
    and coalesce(grade.is_live, true) and coalesce(level.is_live, true)`);
