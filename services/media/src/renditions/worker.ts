import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startJob } from '@lms/service/start-job';
import type { Logger } from 'pino';
import { beginJob, queueVideo, requeueJob } from './change-job.ts';
import { failJob, JobCancelled } from './end-job.ts';
import { type Job, jobRepository } from './job-repository.ts';
import { type JobProgress, type ProcessingDeps, processVideo } from './process-video.ts';
import type { ProcessingMetrics } from './processing-metrics.ts';
import { UnsuitableVideo } from './unsuitable-video.ts';

export interface WorkerOptions extends ProcessingDeps {
  /** How many videos are processed at the same time. */
  concurrency: number;
  maxAttempts: number;
  metrics: ProcessingMetrics;
  logger: Logger;
  /** The interval at which new jobs are searched, and leases are renewed. */
  intervalMs?: number;
}

const searchIntervalMs = 60_000;
const maxBackOffSeconds = 600;
const temporaryFailure = 'The processing failed for a reason that may be temporary, and will be tried again';
const finalFailure = 'The processing failed repeatedly; the log of the media worker has the reason';
const interrupted = 'The processing was interrupted repeatedly';

/** Processes videos one after another: claims their jobs, renews the leases, and records how they end. */
export function startWorker({ concurrency, maxAttempts, metrics, logger, intervalMs = 1_000, ...deps }: WorkerOptions) {
  const { db, tools, workPath } = deps;
  const closing = new AbortController();
  let isUsable: boolean | undefined;

  /** Without ffmpeg nothing is queued, so that videos keep the status `none`. */
  async function checkTools() {
    const problem = await tools.check().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (isUsable === (problem === undefined)) return;
    isUsable = problem === undefined;
    if (!isUsable) return logger.warn({ problem }, 'videos are not processed');
    const confinement = await tools.describe();
    logger.info(confinement, 'videos are processed');
    if (!confinement.withoutNetwork) logger.warn('ffmpeg runs with a network: the system does not permit unshare');
  }

  async function queue() {
    if (!isUsable) return;
    for (const videoId of await jobRepository(db).listNew()) await queueVideo(deps, videoId);
  }

  async function searchForgotten() {
    await checkTools();
    if (isUsable) await jobRepository(db).insertForgotten();
  }

  /** Removes the folders that crashes have left. */
  async function cleanUp() {
    await mkdir(workPath, { recursive: true, mode: 0o700 });
    const leases = await readdir(workPath);
    const current = leases.length === 0 ? [] : await jobRepository(db).listLeases(leases);
    for (const lease of leases)
      if (!current.includes(lease)) await rm(join(workPath, lease), { recursive: true, force: true });
  }

  async function work() {
    while (!closing.signal.aborted) {
      const job = isUsable ? await jobRepository(db).claim().catch(reportClaim) : undefined;
      if (job) await attempt(job).catch((err: unknown) => logger.error({ err, videoId: job.videoId }, 'job not ended'));
      else await sleep(intervalMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  function reportClaim(err: unknown): undefined {
    logger.warn({ err }, 'jobs could not be claimed');
  }

  async function attempt(job: Job) {
    const { videoId, attempts } = job;
    if (attempts > maxAttempts) return fail(job, interrupted, 'failed');
    const startedAt = performance.now();
    const cancelling = new AbortController();
    const progress: JobProgress = { percent: 0, renewLeases: async () => undefined };
    const renewal = startJob({ name: 'renew lease', intervalMs, run: renew }, logger);
    async function renew() {
      if (!(await jobRepository(db).renew(job, progress.percent))) cancelling.abort(new JobCancelled('Lease lost'));
      await progress.renewLeases();
    }
    logger.info({ videoId, attempts }, 'processing started');
    try {
      if (!(await beginJob(deps, job))) throw new JobCancelled('Lease lost');
      await processVideo(deps, job, progress, AbortSignal.any([closing.signal, cancelling.signal]));
      metrics.ended('ready', startedAt);
      logger.info({ videoId, seconds: (performance.now() - startedAt) / 1_000 }, 'processing finished');
    } catch (error) {
      await end(job, error, startedAt, cancelling.signal);
    } finally {
      await renewal.stop();
      cleaning.runNow();
    }
  }

  async function end(job: Job, error: unknown, startedAt: number, cancelled: AbortSignal) {
    const { videoId, attempts } = job;
    if (cancelled.aborted || error instanceof JobCancelled) {
      metrics.ended('cancelled', startedAt);
      logger.info({ videoId }, 'processing cancelled');
    } else if (closing.signal.aborted) {
      // As if this attempt had not begun.
      await requeueJob(deps, job, { seconds: 0, attempts: attempts - 1 });
      logger.info({ videoId }, 'processing interrupted by shutdown');
    } else if (error instanceof UnsuitableVideo) {
      await fail(job, error.message, 'unsuitable', startedAt);
    } else if (attempts >= maxAttempts) {
      logger.error({ err: error, videoId, attempts }, 'processing failed');
      await fail(job, finalFailure, 'failed', startedAt);
    } else {
      metrics.ended('retried', startedAt);
      logger.warn({ err: error, videoId, attempts }, 'processing failed and will be retried');
      const seconds = Math.min(5 * 2 ** attempts, maxBackOffSeconds);
      await requeueJob(deps, job, { seconds, error: temporaryFailure });
    }
  }

  async function fail(job: Job, reason: string, outcome: 'unsuitable' | 'failed', startedAt = performance.now()) {
    await failJob(deps, job, reason);
    metrics.ended(outcome, startedAt);
    logger.info({ videoId: job.videoId, reason }, 'video cannot be processed');
  }

  const searching = startJob({ name: 'search videos', intervalMs: searchIntervalMs, run: searchForgotten }, logger);
  const cleaning = startJob({ name: 'clean up jobs', intervalMs: searchIntervalMs, run: cleanUp }, logger);
  const queueing = startJob({ name: 'queue videos', intervalMs, run: queue }, logger);
  const loops = Array.from({ length: concurrency }, work);
  return {
    /** Interrupts the running jobs, which another worker continues. */
    async stop() {
      closing.abort(new Error('The worker is shutting down'));
      await Promise.all([...loops, searching.stop(), cleaning.stop(), queueing.stop()]);
    },
  };
}
