import type { DocumentEntry, TopicVideo } from '@lms/contracts/internal/content';
import { id, instant, timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

export const kindNames = ['level', 'grade', 'subject', 'topic'] as const;
export type Kind = (typeof kindNames)[number];

/** Levels, grades, subjects and topics: one tree. What only some kinds have is null in the others. */
export const nodes = pgTable(
  'nodes',
  {
    id: id(),
    kind: text({ enum: kindNames }).notNull(),
    parentId: text(),
    /** With it, the foreign key sees to it that a parent is of the right kind. */
    parentKind: text({ enum: kindNames }).generatedAlwaysAs(
      sql`case kind when 'grade' then 'level' when 'subject' then 'grade' when 'topic' then 'subject' end`,
    ),
    name: text().notNull(),
    description: text().notNull(),
    position: integer().notNull(),
    isActive: boolean().notNull(),
    /** Active with active ancestors only; kept by whatever changes `isActive` or the parent, so that reads need no ancestors. */
    isLive: boolean().notNull(),
    imageUrl: text(),
    level: text({ enum: ['primary', 'secondary', 'higher'] }),
    mentorId: text(),
    mentorEmail: text(),
    content: text(),
    video: jsonb().$type<TopicVideo>(),
    documents: jsonb().$type<DocumentEntry[]>().notNull().default([]),
    /** Counts the changes of this row; its ETag. */
    version: integer().notNull().default(1),
    deletedAt: instant(),
    /** Which delete took it, and what `isActive` was before: a restore brings back exactly that. */
    deletionId: text(),
    wasActive: boolean(),
    ...timestamps,
  },
  (table) => [
    unique('nodes_kind_id').on(table.kind, table.id),
    foreignKey({
      name: 'nodes_parent',
      columns: [table.parentKind, table.parentId],
      foreignColumns: [table.kind, table.id],
    }),
    check('nodes_only_levels_are_roots', sql`(kind = 'level') = (parent_id is null)`),
    check('nodes_deleted_are_not_active', sql`deleted_at is null or not (is_active or is_live)`),
    check('nodes_live_are_active', sql`is_active or not is_live`),
    check('nodes_grades_have_a_level', sql`(kind = 'grade') = (level is not null)`),
    check('nodes_topics_have_content', sql`(kind = 'topic') = (content is not null)`),
    uniqueIndex('nodes_level_name').on(table.name).where(sql`kind = 'level' and deleted_at is null`),
    uniqueIndex('nodes_sibling_name').on(table.parentId, table.name).where(sql`deleted_at is null`),
    index('nodes_children').on(table.parentId, table.position, table.name, table.id),
    index('nodes_of_kind').on(table.kind, table.position, table.name, table.id),
    index('nodes_mentor').on(table.mentorId).where(sql`mentor_id is not null`),
    index('nodes_deletion').on(table.deletionId).where(sql`deletion_id is not null`),
  ],
);
