import type { DocumentEntry, TopicVideo } from '@lms/contracts/internal/content';
import { id, instant, timestamps } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const bytewiseText = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

// A tsvector holds at most 1 MiB; this many characters fit whatever the text contains.
const indexedCharacters = 100_000;

export const kindNames = ['level', 'grade', 'subject', 'topic'] as const;
export type Kind = (typeof kindNames)[number];

/** Levels, grades, subjects and topics in one tree. Columns of some kinds only are null for the others. */
export const nodes = pgTable(
  'nodes',
  {
    id: id(),
    kind: text({ enum: kindNames }).notNull(),
    parentId: text(),
    /** Part of the foreign key, which ensures that the parent is of the right kind. */
    parentKind: text({ enum: kindNames }).generatedAlwaysAs(
      sql`case kind when 'grade' then 'level' when 'subject' then 'grade' when 'topic' then 'subject' end`,
    ),
    name: text().notNull(),
    /** An id that clients choose; imports find the node by it. */
    externalId: text(),
    description: text().notNull(),
    position: integer().notNull(),
    isActive: boolean().notNull(),
    /** True if the node and all its ancestors are active. Stored, so that reads do not have to join the ancestors. */
    isLive: boolean().notNull(),
    imageUrl: text(),
    level: text({ enum: ['primary', 'secondary', 'higher'] }),
    mentorId: text(),
    mentorEmail: text(),
    /** When the mentor was last set, by a trigger; null if that was before there was this column. */
    mentorAssignedAt: instant(),
    content: text(),
    video: jsonb().$type<TopicVideo>(),
    documents: jsonb().$type<DocumentEntry[]>().notNull().default([]),
    /** Incremented by every change of the row; part of its ETag. */
    version: integer().notNull().default(1),
    deletedAt: instant(),
    /** The delete that deleted the row, and its `isActive` before; a restore needs both. */
    deletionId: text(),
    wasActive: boolean(),
    search: tsvector().generatedAlwaysAs(
      sql`setweight(to_tsvector('plain_words', name), 'A') || setweight(to_tsvector('plain_words', description), 'B')`,
    ),
    bodySearch: tsvector().generatedAlwaysAs(
      sql`to_tsvector('plain_words', left(content, ${sql.raw(String(indexedCharacters))}))`,
    ),
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
    uniqueIndex('nodes_external_id')
      .on(table.kind, table.externalId)
      .where(sql`external_id is not null and deleted_at is null`),
    index('nodes_children').on(table.parentId, table.isLive, table.position, table.name, table.id),
    index('nodes_of_kind').on(table.kind, table.position, table.name, table.id),
    index('nodes_by_name').on(table.kind, table.name, table.id),
    index('nodes_by_creation').on(table.kind, table.createdAt, table.id),
    index('nodes_by_update').on(table.kind, table.updatedAt, table.id),
    index('nodes_mentor').on(table.mentorId).where(sql`mentor_id is not null`),
    index('nodes_mentor_email').on(table.mentorEmail).where(sql`mentor_email is not null`),
    index('nodes_deletion').on(table.deletionId).where(sql`deletion_id is not null`),
    index('nodes_deleted').on(table.kind, table.deletedAt).where(sql`deleted_at is not null`),
    index('nodes_search').using('gin', table.search).where(sql`is_live`),
    index('nodes_names').using('gin', sql`to_tsvector('plain_words', name)`).where(sql`is_live`),
    index('nodes_body_search').using('gin', table.bodySearch).where(sql`is_live and kind = 'topic'`),
    index('nodes_called').on(sql`lower(name)`).where(sql`is_live`),
    index('nodes_containing').using('gin', table.name.op('gin_trgm_ops'), table.description.op('gin_trgm_ops')),
  ],
);

/** The number of nodes per kind and state, maintained by triggers: counting a million rows for each page is too slow. */
export const nodeCounts = pgTable(
  'node_counts',
  {
    kind: text({ enum: kindNames }).notNull(),
    isActive: boolean().notNull(),
    isDeleted: boolean().notNull(),
    total: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.isActive, table.isDeleted] })],
);

/** The words of all names, with those of former names, added by triggers; the search takes those that a live name has. */
export const nameWords = pgTable('name_words', { word: bytewiseText().primaryKey() }, (table) => [
  index('name_words_like').using('gin', table.word.op('gin_trgm_ops')),
]);

/** Mentors as last published by the identity service; an assignment ends with the role and with the account. */
export const mentors = pgTable('mentors', {
  userId: text().primaryKey(),
  identityProviderId: text(),
  email: text(),
  isMentor: boolean().notNull(),
  /** The version of the last consumed event; older events are ignored. */
  version: integer().notNull(),
});
