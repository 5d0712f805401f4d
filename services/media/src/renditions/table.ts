import { instant } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { objects } from '../objects/table.ts';

/** none: no worker that can process videos has seen it. */
export const processingStatuses = ['none', 'queued', 'processing', 'ready', 'failed'] as const;

/** An image of equal tiles, in rows from left to right; tile `n` shows the moment `n * intervalSeconds`. */
export interface Sprite {
  columns: number;
  tiles: number;
  tileWidth: number;
  tileHeight: number;
  intervalSeconds: number;
}

/** A byte range of a rendition's object. */
export interface Segment {
  durationSeconds: number;
  offset: number;
  length: number;
}

/** One row per video: the job that makes its renditions, and what the job found out about the video. */
export const videoProcessing = pgTable(
  'video_processing',
  {
    videoId: text()
      .primaryKey()
      .references(() => objects.id, { onDelete: 'cascade' }),
    status: text({ enum: processingStatuses }).notNull().default('none'),
    percent: integer().notNull().default(0),
    /** Why the last attempt failed, for people. */
    error: text(),
    attempts: integer().notNull().default(0),
    /** Identifies the attempt that is running. */
    leaseId: text(),
    /** When a worker may claim the job: the next attempt of a queued one, the end of the lease of a running one. */
    dueAt: instant().notNull().defaultNow(),
    startedAt: instant(),
    finishedAt: instant(),
    durationSeconds: doublePrecision(),
    /** As displayed: rotated, and with square pixels. */
    width: integer(),
    height: integer(),
    hasAudio: boolean(),
    posterId: text().references(() => objects.id, { onDelete: 'set null' }),
    spriteId: text().references(() => objects.id, { onDelete: 'set null' }),
    sprite: jsonb().$type<Sprite>(),
  },
  (table) => [index('video_processing_due').on(table.dueAt).where(sql`status in ('none', 'queued', 'processing')`)],
);
export type VideoProcessing = typeof videoProcessing.$inferSelect;

/** One row per rendition: a fragmented MP4 file, whose segments HLS players fetch as byte ranges. */
export const renditions = pgTable(
  'renditions',
  {
    videoId: text()
      .notNull()
      .references(() => objects.id, { onDelete: 'cascade' }),
    height: integer().notNull(),
    width: integer().notNull(),
    /** The peak bit rate, as HLS defines it. */
    bandwidth: integer().notNull(),
    /** As in the `CODECS` attribute of a playlist. */
    codecs: text().notNull(),
    /** Frames per second; null if it was made before this was recorded. */
    frameRate: doublePrecision(),
    objectId: text()
      .notNull()
      .references(() => objects.id, { onDelete: 'cascade' }),
    /** The initialization section is at the start of the object. */
    initLength: integer().notNull(),
    segments: jsonb().$type<Segment[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.videoId, table.height] }), index('renditions_object').on(table.objectId)],
);
export type Rendition = typeof renditions.$inferSelect;
