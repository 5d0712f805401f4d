import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TopicObject } from '../objects/table.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { ConfinedTools } from './confined-tools.ts';
import { finishJob, JobCancelled } from './end-job.ts';
import { type Job, jobRepository } from './job-repository.ts';
import { probeVideo, type VideoLimits } from './probe-video.ts';
import { type EncoderOptions, type Transcoded, transcodeVideo } from './transcode-video.ts';
import { UnsuitableVideo } from './unsuitable-video.ts';

export interface ProcessingDeps extends WorkerDeps {
  tools: ConfinedTools;
  /** The folder in which each job has a folder of its own. */
  workPath: string;
  limits: VideoLimits;
  maxVideoBytes: number;
  encoder: EncoderOptions;
}

export interface JobProgress {
  percent: number;
  /** Called with each renewal of the lease of the job. */
  renewLeases: () => Promise<unknown>;
}

const source = 'source';
const freeBytes = 200 * 1_024 * 1_024;

/** Makes the renditions of a video and ends its job. @throws UnsuitableVideo, JobCancelled, or the failure of a dependency */
export async function processVideo(deps: ProcessingDeps, job: Job, progress: JobProgress, signal: AbortSignal) {
  const { db, deriveFrom, tools, workPath, limits } = deps;
  const video = await jobRepository(db).findVideo(job.videoId);
  if (!video || video.topicId === null) throw new JobCancelled('The video was removed');
  const topicVideo = { ...video, topicId: video.topicId };

  const directory = join(workPath, job.leaseId);
  const derived = deriveFrom(topicVideo);
  progress.renewLeases = derived.renewLeases;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await fetchSource(deps, topicVideo, directory, signal);
    const file = { directory, name: source, mimeType: video.mimeType, limits, signal };
    const probe = await probeVideo(tools, file);
    const transcoded = await transcodeVideo(tools, file, probe, deps.encoder, (ratio) => {
      progress.percent = Math.max(progress.percent, Math.floor(ratio * 95));
    });
    progress.percent = 95;

    const { width, height, audioIndex } = probe;
    const made = await storeFiles(derived, directory, transcoded, signal);
    const { durationSeconds } = transcoded;
    const outcome = { durationSeconds, width, height, hasAudio: audioIndex !== undefined };
    await finishJob(deps, job, { ...outcome, ...made, finalizeObjects: derived.finalize });
  } catch (error) {
    await derived.discard();
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function fetchSource(
  { storage, workPath, maxVideoBytes }: ProcessingDeps,
  { key, size }: TopicObject,
  directory: string,
  signal: AbortSignal,
) {
  if (size > maxVideoBytes)
    throw new UnsuitableVideo(`The file has ${size} bytes; at most ${maxVideoBytes} are accepted`);
  const { bavail, bsize } = await statfs(workPath);
  // The renditions together are rarely larger than the source.
  if (bavail * bsize < 2 * size + freeBytes) throw new Error(`There is too little free space in ${workPath}`);
  await pipeline(await storage.open(key), createWriteStream(join(directory, source), { mode: 0o600 }), { signal });
}

async function storeFiles(
  derived: ReturnType<WorkerDeps['deriveFrom']>,
  directory: string,
  { renditions, poster, sprite }: Transcoded,
  signal: AbortSignal,
) {
  const store = (kind: 'rendition' | 'poster' | 'sprite', name: string, fileName: string, mimeType: string) =>
    derived.store({ kind, path: join(directory, name), fileName, mimeType }, signal);
  const stored = [];
  for (const { file, ...rendition } of renditions) {
    const objectId = await store('rendition', file, `${rendition.height}p.mp4`, 'video/mp4');
    stored.push({ ...rendition, objectId });
  }
  const posterId = poster === undefined ? null : await store('poster', poster, 'poster.jpg', 'image/jpeg');
  if (!sprite) return { renditions: stored, posterId, spriteId: null, sprite: null };
  const { file, ...geometry } = sprite;
  const spriteId = await store('sprite', file, 'sprite.jpg', 'image/jpeg');
  return { renditions: stored, posterId, spriteId, sprite: geometry };
}
