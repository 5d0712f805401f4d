import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { and, asc, count, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import { type Caption, type CaptionWithoutText, captions as table } from './table.ts';

const { content: _content, ...columns } = getTableColumns(table);
const isTrack = (videoId: string, language: string) => and(eq(table.videoId, videoId), eq(table.language, language));

const oneTrack = prepared('caption_track', (db) =>
  db
    .select()
    .from(table)
    .where(and(eq(table.videoId, sql.placeholder('videoId')), eq(table.language, sql.placeholder('language')))),
);

export const captionRepository = (db: Db) => ({
  find: async (videoId: string, language: string): Promise<Caption | undefined> =>
    (await oneTrack(db).execute({ videoId, language }))[0],

  /** The tracks of a video by their language, without their texts. */
  list: (videoId: string): Promise<CaptionWithoutText[]> =>
    db.select(columns).from(table).where(eq(table.videoId, videoId)).orderBy(asc(table.language)),

  listUploadedBy: (userId: string): Promise<CaptionWithoutText[]> =>
    db.select(columns).from(table).where(eq(table.uploadedBy, userId)).orderBy(asc(table.videoId), asc(table.language)),

  countOthers: async (videoId: string, language: string): Promise<number> => {
    const others = and(eq(table.videoId, videoId), ne(table.language, language));
    return (await db.select({ others: count() }).from(table).where(others))[0]?.others ?? 0;
  },

  /** Adds or replaces a track. If it is the default, no other track of the video is one any more. */
  async save(caption: Caption) {
    const { videoId, isDefault } = caption;
    if (isDefault) await db.update(table).set({ isDefault: false }).where(eq(table.videoId, videoId));
    const target = [table.videoId, table.language];
    await db.insert(table).values(caption).onConflictDoUpdate({ target, set: caption });
  },

  remove: async (videoId: string, language: string): Promise<CaptionWithoutText | undefined> =>
    (await db.delete(table).where(isTrack(videoId, language)).returning(columns))[0],
});
