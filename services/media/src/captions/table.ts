import { captionKinds } from '@lms/contracts/internal/content';
import { instant } from '@lms/database/columns';
import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { objects } from '../objects/table.ts';

/** The caption tracks of videos. They are deleted with the row of their video. */
export const captions = pgTable(
  'captions',
  {
    videoId: text()
      .notNull()
      .references(() => objects.id, { onDelete: 'cascade' }),
    /** A canonical BCP 47 tag. */
    language: text().notNull(),
    label: text().notNull(),
    kind: text({ enum: captionKinds }).notNull(),
    isDefault: boolean().notNull(),
    /** Normalized WebVTT. */
    content: text().notNull(),
    checksum: text().notNull(),
    uploadedBy: text().notNull(),
    uploadedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.videoId, table.language] }),
    uniqueIndex('captions_default').on(table.videoId).where(sql`is_default`),
    index('captions_uploader').on(table.uploadedBy),
  ],
);
export type Caption = typeof captions.$inferSelect;
export type CaptionWithoutText = Omit<Caption, 'content'>;
