import { id, instant } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';

export const kinds = ['video', 'document', 'rendition', 'poster', 'sprite', 'job-file'] as const;
export type Kind = (typeof kinds)[number];
/** What content attaches to topics. The others are derived from a video, or files of imports and exports. */
export type AttachableKind = Extract<Kind, 'video' | 'document'>;

/**
 * receiving: bytes are arriving · offered: stored, content is to attach it, readable with its key · ready: attached, readable ·
 * removing: still readable, content is to detach it · discarded: to be deleted from storage.
 */
export const statuses = ['receiving', 'offered', 'ready', 'removing', 'discarded'] as const;

/** One row per object in storage: inserted before the first byte is stored, deleted after the last one is removed. */
export const objects = pgTable(
  'objects',
  {
    /** Also the id of the video or document. */
    id: id(),
    kind: text({ enum: kinds }).notNull(),
    status: text({ enum: statuses }).notNull().default('receiving'),
    /** Null while it is unknown: the file of a document may precede its `topicId`. */
    topicId: text(),
    /** The video of a derived object: it is discarded with the video. */
    derivedFrom: text(),
    /** The name in storage: random, never derived from client input. */
    key: text().notNull().unique(),
    /** The id of an S3 multipart upload that may be open. */
    multipartId: text(),
    fileName: text().notNull(),
    name: text().notNull().default(''),
    description: text().notNull().default(''),
    mimeType: text().notNull().default('application/octet-stream'),
    size: bigint({ mode: 'number' }).notNull().default(0),
    checksum: text().notNull().default(''),
    uploadedBy: text().notNull(),
    uploadedAt: instant().notNull().defaultNow(),
    /** When a file of an import or export is discarded. */
    expiresAt: instant(),
    /**
     * Not written any more: it contains personal data. Queries select every column that is named here, so a release has to
     * stop naming it, with a migration that does not drop it, before the release after that drops it.
     */
    passport: text(),
    /** When the lease ends and the reaper may process the object. */
    dueAt: instant().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('objects_current_video')
      .on(table.topicId)
      .where(sql`kind = 'video' and status in ('ready', 'removing')`),
    index('objects_topic').on(table.topicId),
    index('objects_derived').on(table.derivedFrom).where(sql`derived_from is not null`),
    index('objects_uploader').on(table.uploadedBy, table.uploadedAt),
    index('objects_expiry').on(table.expiresAt).where(sql`expires_at is not null`),
    index('objects_due').on(table.dueAt).where(sql`status <> 'ready'`),
    check(
      'objects_readable_is_whole',
      sql`status not in ('ready', 'removing') or ((topic_id is not null or kind = 'job-file') and checksum <> '' and size > 0)`,
    ),
  ],
);
export type StoredObject = typeof objects.$inferSelect;
export type TopicObject = StoredObject & { topicId: string };
/** An object, or a part of one that is sent like an object of its own. */
export type Downloadable = StoredObject & {
  /** Where the part begins. */
  offset?: number;
  cacheControl?: string;
};
