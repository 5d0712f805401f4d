import { timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, pgView, text } from 'drizzle-orm/pg-core';

export type NodeKind = 'level' | 'grade' | 'subject' | 'topic';

/** A local copy of the content hierarchy, updated by content's events. */
export const outlineTable = pgTable(
  'outline',
  {
    id: text().primaryKey(),
    kind: text().$type<NodeKind>().notNull(),
    /** Null for levels. No foreign key: the event of a child may arrive before that of its parent. */
    parentId: text(),
    name: text().notNull(),
    position: integer().notNull().default(0),
    /** Active and not deleted. The view `live_topics` also checks the ancestors. */
    isLive: boolean().notNull(),
    isDeleted: boolean().notNull().default(false),
    /** The version of the last event; 0 if the node is known only from a response of content. */
    version: integer().notNull().default(0),
    ...timestamps,
  },
  (table) => [
    index('outline_children').on(table.parentId, table.position),
    index('outline_subject_names').using('gin', table.name.op('gin_trgm_ops')).where(sql`kind = 'subject'`),
  ],
);

/** Topics that are live, as are their ancestors. An ancestor whose event has not arrived yet counts as live. */
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
