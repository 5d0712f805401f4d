import type { Db } from '@lms/database/connect';
import type { WorkerDeps } from '../worker-deps.ts';
import { type Complete, changeJob } from './change-job.ts';
import { appendVideoFailed, appendVideoProcessed } from './events.ts';
import { type Job, jobRepository, type Outcome } from './job-repository.ts';
import type { Rendition } from './table.ts';

export interface Made extends Outcome {
  renditions: Omit<Rendition, 'videoId'>[];
  finalizeObjects: (tx: Db) => Promise<unknown>;
}

/** This worker is not to process the video any more. */
export class JobCancelled extends Error {
  override name = 'JobCancelled';
}

/** Makes the renditions of a video readable. @throws JobCancelled */
export const finishJob = (deps: WorkerDeps, job: Job, { renditions, finalizeObjects, ...outcome }: Made) =>
  endJob(deps, job, { status: 'ready', error: null, ...outcome }, async (tx, topicId, video) => {
    await finalizeObjects(tx);
    await jobRepository(tx).insertRenditions(renditions.map((one) => ({ ...one, videoId: video.id })));
    await appendVideoProcessed(tx, topicId, await deps.readVideo(tx, video));
  });

/** Records that a video cannot be processed. @throws JobCancelled */
export const failJob = (deps: WorkerDeps, job: Job, error: string) =>
  endJob(deps, job, { status: 'failed', error }, async (tx, topicId, video) => {
    await appendVideoFailed(tx, topicId, await deps.readVideo(tx, video));
  });

type Ending = Parameters<ReturnType<typeof jobRepository>['end']>[1];

async function endJob(deps: WorkerDeps, job: Job, ending: Ending, complete: Complete) {
  if (!(await changeJob(deps, job.videoId, (tx) => jobRepository(tx).end(job, ending), complete)))
    throw new JobCancelled('The video was removed, or another worker has claimed its job');
}
