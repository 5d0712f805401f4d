import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { and, asc, count, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { objects } from '../objects/table.ts';
import { type Rendition, renditions, videoProcessing as table, type VideoProcessing } from './table.ts';

/** Renewed much more often; after a crash, another worker continues when it has passed. */
export const leaseSeconds = 15;

// A second later, the next ones follow.
const maxQueued = 100;

export type Job = VideoProcessing & { leaseId: string };
export type Outcome = Pick<
  VideoProcessing,
  'durationSeconds' | 'width' | 'height' | 'hasAudio' | 'posterId' | 'spriteId' | 'sprite'
>;

/** When the next attempt may begin, and what the last one leaves. */
export type Requeue = { seconds: number } & Partial<Pick<VideoProcessing, 'attempts' | 'error'>>;

export const unfinished = ['none', 'queued', 'processing'] as const;

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
const readable = inArray(objects.status, ['ready', 'removing']);
const isHeld = ({ videoId, leaseId }: Pick<Job, 'videoId' | 'leaseId'>) =>
  and(eq(table.videoId, videoId), eq(table.leaseId, leaseId), eq(table.status, 'processing'));

/** The jobs of the worker: one per video. */
export const jobRepository = (db: Db) => ({
  /** The videos that no worker has seen. */
  listNew: async (): Promise<string[]> =>
    (
      await db
        .select({ videoId: table.videoId })
        .from(table)
        .innerJoin(objects, eq(objects.id, table.videoId))
        .where(and(eq(table.status, 'none'), lte(table.dueAt, sql`now()`), readable))
        .orderBy(asc(table.dueAt))
        .limit(maxQueued)
    ).map(({ videoId }) => videoId),
  /** Returns false if another worker has queued the video. */
  queueNew: async (videoId: string): Promise<boolean> => {
    const isNew = and(eq(table.videoId, videoId), eq(table.status, 'none'));
    const queued = await db
      .update(table)
      .set({ status: 'queued', dueAt: sql`now()` })
      .where(isNew)
      .returning({ videoId: table.videoId });
    return queued.length > 0;
  },
  /** Creates the jobs of videos that have none: those from the time before there were any. */
  insertForgotten: async () => {
    const forgotten = db
      .select({ videoId: objects.id, status: sql`'none'`.as('status') })
      .from(objects)
      .leftJoin(table, eq(table.videoId, objects.id))
      .where(and(eq(objects.kind, 'video'), eq(objects.status, 'ready'), isNull(table.videoId)));
    await db.execute(sql`insert into ${table} (video_id, status) ${forgotten.getSQL()} on conflict do nothing`);
  },

  /** Leases the job that has waited longest. */
  claim: async (): Promise<Job | undefined> => {
    const due = db
      .select({ videoId: table.videoId })
      .from(table)
      .innerJoin(objects, eq(objects.id, table.videoId))
      .where(and(inArray(table.status, ['queued', 'processing']), lte(table.dueAt, sql`now()`), readable))
      .orderBy(asc(table.dueAt))
      .limit(1)
      .for('update', { of: table, skipLocked: true });
    const leaseId = createId();
    const [job] = await db
      .update(table)
      .set({
        status: 'processing',
        percent: 0,
        leaseId,
        dueAt: inSeconds(leaseSeconds),
        attempts: sql`${table.attempts} + 1`,
        startedAt: sql`coalesce(${table.startedAt}, now())`,
        finishedAt: null,
      })
      .where(eq(table.videoId, sql`(${due})`))
      .returning();
    return job && { ...job, leaseId };
  },
  /** Returns false if the job was cancelled, or claimed by another worker after the lease had ended. */
  renew: async (job: Job, percent: number): Promise<boolean> => {
    const video = db
      .select({ id: objects.id })
      .from(objects)
      .where(and(eq(objects.id, job.videoId), readable));
    const renewed = await db
      .update(table)
      .set({ percent, dueAt: inSeconds(leaseSeconds) })
      .where(and(isHeld(job), inArray(table.videoId, video)))
      .returning({ videoId: table.videoId });
    return renewed.length > 0;
  },
  /** Queues a job again. Returns false if it was cancelled. */
  requeue: async (job: Job, { seconds, ...values }: Requeue): Promise<boolean> => {
    const requeued = await db
      .update(table)
      .set({ ...values, status: 'queued', percent: 0, leaseId: null, dueAt: inSeconds(seconds) })
      .where(isHeld(job))
      .returning({ videoId: table.videoId });
    return requeued.length > 0;
  },
  /** Ends the job. Returns false if it was cancelled. */
  end: async (job: Job, values: Partial<Outcome> & Pick<VideoProcessing, 'status' | 'error'>): Promise<boolean> => {
    const ended = await db
      .update(table)
      .set({ ...values, leaseId: null, finishedAt: new Date(), ...(values.status === 'ready' && { percent: 100 }) })
      .where(isHeld(job))
      .returning({ videoId: table.videoId });
    return ended.length > 0;
  },
  findVideo: async (videoId: string) =>
    (
      await db
        .select()
        .from(objects)
        .where(and(eq(objects.id, videoId), readable))
    )[0],
  /** Locks the video against removal. Returns undefined if it is not readable any more. */
  lockVideo: async (videoId: string) =>
    (
      await db
        .select()
        .from(objects)
        .where(and(eq(objects.id, videoId), readable))
        .for('update')
    )[0],
  /** Call it in the transaction that ends the job. */
  insertRenditions: async (made: Rendition[]) => {
    await db.insert(renditions).values(made);
  },

  /** Those of these leases whose jobs are running. */
  listLeases: async (leaseIds: string[]) =>
    (
      await db
        .select({ leaseId: table.leaseId })
        .from(table)
        .where(and(inArray(table.leaseId, leaseIds), eq(table.status, 'processing')))
    ).map(({ leaseId }) => leaseId),
  /** How many jobs wait and run, and for how many seconds the oldest has waited. */
  countJobs: () =>
    db
      .select({
        status: table.status,
        jobs: count(),
        seconds: sql<number>`greatest(0, extract(epoch from now() - min(${table.dueAt})))::float`,
      })
      .from(table)
      .where(inArray(table.status, unfinished))
      .groupBy(table.status),
});
