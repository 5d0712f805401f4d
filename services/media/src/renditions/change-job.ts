import type { Db } from '@lms/database/connect';
import type { StoredObject } from '../objects/table.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { appendVideoProgressed } from './events.ts';
import { type Job, jobRepository, type Requeue } from './job-repository.ts';

export type Complete = (tx: Db, topicId: string, video: StoredObject) => Promise<unknown>;

/** Changes a job, and publishes that in the same transaction. Returns false if the video was removed, or nothing changed. */
export const changeJob = (
  { db, lockTopic }: WorkerDeps,
  videoId: string,
  change: (tx: Db) => Promise<boolean>,
  complete: Complete,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { topicId } = (await jobRepository(tx).findVideo(videoId)) ?? {};
    if (!topicId) return false;
    await lockTopic(tx, topicId);
    // A removal waits for this lock, and then discards what was made.
    const video = await jobRepository(tx).lockVideo(videoId);
    if (!video || !(await change(tx))) return false;
    await complete(tx, topicId, video);
    return true;
  });

const publishProgress = (deps: WorkerDeps, videoId: string, change: (tx: Db) => Promise<boolean>) =>
  changeJob(deps, videoId, change, async (tx, topicId, video) =>
    appendVideoProgressed(tx, topicId, await deps.readVideo(tx, video)),
  );

export const queueVideo = (deps: WorkerDeps, videoId: string) =>
  publishProgress(deps, videoId, (tx) => jobRepository(tx).queueNew(videoId));

/** Publishes that a claimed job has begun. Returns false if it was cancelled. */
export const beginJob = (deps: WorkerDeps, job: Job) =>
  publishProgress(deps, job.videoId, (tx) => jobRepository(tx).renew(job, 0));

/** Leaves a job to the next attempt, unless it was cancelled. */
export const requeueJob = (deps: WorkerDeps, job: Job, requeue: Requeue) =>
  publishProgress(deps, job.videoId, (tx) => jobRepository(tx).requeue(job, requeue));
