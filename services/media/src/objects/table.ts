import { id, instant } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';

export const kinds = ['video', 'document'] as const;
export type Kind = (typeof kinds)[number];

/**
 * receiving: bytes are on their way · offered: stored, content is being asked to take it · ready: taken, readable ·
 * removing: still readable, content is being asked to take it off · discarded: nobody's, waits for its removal from storage.
 */
export const statuses = ['receiving', 'offered', 'ready', 'removing', 'discarded'] as const;

/** One row for each object that is, may be, or was in storage. It is made before the first byte and goes after the last. */
export const objects = pgTable(
  'objects',
  {
    /** Also the id of the video or document that it is. */
    id: id(),
    kind: text({ enum: kinds }).notNull(),
    status: text({ enum: statuses }).notNull().default('receiving'),
    /** Unknown while a document's bytes come before its `topicId`. */
    topicId: text(),
    /** The name in storage: random, never made from anything a client sent. */
    key: text().notNull().unique(),
    /** An S3 multipart upload that may be open. */
    multipartId: text(),
    fileName: text().notNull(),
    name: text().notNull().default(''),
    description: text().notNull().default(''),
    mimeType: text().notNull().default('application/octet-stream'),
    size: bigint({ mode: 'number' }).notNull().default(0),
    checksum: text().notNull().default(''),
    uploadedBy: text().notNull(),
    uploadedAt: instant().notNull().defaultNow(),
    /** On whose behalf content is asked to take it off again; kept only while that may have to be asked. */
    passport: text(),
    /** When the reaper may look at it; whoever works on it keeps moving this on. */
    dueAt: instant().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('objects_current_video')
      .on(table.topicId)
      .where(sql`kind = 'video' and status in ('ready', 'removing')`),
    index('objects_topic').on(table.topicId),
    index('objects_uploader').on(table.uploadedBy, table.uploadedAt),
    index('objects_due').on(table.dueAt).where(sql`status <> 'ready'`),
    check(
      'objects_readable_is_whole',
      sql`status not in ('ready', 'removing') or (topic_id is not null and checksum <> '' and size > 0)`,
    ),
  ],
);
export type StoredObject = typeof objects.$inferSelect;
