import type { Db } from '@lms/database/connect';
import { prepared } from '@lms/database/prepared';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { objects, type StoredObject } from '../objects/table.ts';
import { type Rendition, renditions, type VideoProcessing, videoProcessing } from './table.ts';

const ofVideo = prepared('processing_of_video', (db) =>
  db
    .select()
    .from(videoProcessing)
    .where(eq(videoProcessing.videoId, sql.placeholder('videoId'))),
);
const renditionsOfVideo = prepared('renditions_of_video', (db) =>
  db
    .select()
    .from(renditions)
    .where(eq(renditions.videoId, sql.placeholder('videoId')))
    .orderBy(asc(renditions.height)),
);

const again = {
  status: 'queued',
  percent: 0,
  error: null,
  attempts: 0,
  leaseId: null,
  dueAt: sql`now()`,
  startedAt: null,
  finishedAt: null,
} as const;

export const renditionRepository = (db: Db) => ({
  /** Undefined until a worker has seen the video, as for the status `none`. */
  findProcessing: async (videoId: string): Promise<VideoProcessing | undefined> =>
    (await ofVideo(db).execute({ videoId }))[0],
  /** In the order of their heights. */
  listRenditions: (videoId: string): Promise<Rendition[]> => renditionsOfVideo(db).execute({ videoId }),
  /** The objects of renditions, posters and sprites that players may read. */
  listObjects: (ids: string[]): Promise<StoredObject[]> =>
    ids.length === 0 ? Promise.resolve([]) : db.select().from(objects).where(inArray(objects.id, ids)),

  /** For a new video: its status is `none` until a worker sees it. */
  insertProcessing: async (videoId: string) => {
    await db.insert(videoProcessing).values({ videoId });
  },
  /** Returns undefined unless the processing has failed. */
  restartFailed: async (videoId: string): Promise<VideoProcessing | undefined> =>
    (
      await db
        .update(videoProcessing)
        .set(again)
        .where(and(eq(videoProcessing.videoId, videoId), eq(videoProcessing.status, 'failed')))
        .returning()
    )[0],
  /** For a video whose renditions are lost. Returns undefined if it has been restarted already. */
  restartReady: async (videoId: string): Promise<VideoProcessing | undefined> => {
    await db.delete(renditions).where(eq(renditions.videoId, videoId));
    return (
      await db
        .update(videoProcessing)
        .set(again)
        .where(and(eq(videoProcessing.videoId, videoId), eq(videoProcessing.status, 'ready')))
        .returning()
    )[0];
  },
});
