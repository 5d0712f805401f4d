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

// A tsvector holds 1 MiB at most: of a text, what fits whatever it is made of.
const indexedCharacters = 100_000;

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

/** How many there are of each kind and state, kept by triggers: counting a million rows for each page takes too long. */
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

/** Every word of every name, kept by triggers: what a misspelt word is compared with. */
export const nameWords = pgTable('name_words', { word: bytewiseText().primaryKey() }, (table) => [
  index('name_words_like').using('gin', table.word.op('gin_trgm_ops')),
]);

/** Mentors as identity told of them last, so that an assignment ends with the role and with the account. */
export const mentors = pgTable('mentors', {
  userId: text().primaryKey(),
  identityProviderId: text(),
  email: text(),
  isMentor: boolean().notNull(),
  /** The version of the last event heard; an earlier one is old news. */
  version: integer().notNull(),
});
