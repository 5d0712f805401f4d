import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@lms/client';

/** An import or export. */
export interface Job {
  id: string;
  /** Null until the job has ended. */
  finishedAt: string | null;
}

interface Options<J> {
  /** For how long requests may fail with a 5xx or without a response, as while the gateway restarts. */
  retryMs?: number;
  onProgress?: (job: J) => void;
}

/** Waits for the end of a job, which it reads again and again. */
export async function untilFinished<J extends Job>(
  started: J,
  read: (id: string) => Promise<J>,
  { retryMs = 60_000, onProgress }: Options<J> = {},
): Promise<J> {
  let job = started;
  let readAt = Date.now();
  for (let pollMs = 50; job.finishedAt === null; pollMs = Math.min(2 * pollMs, 1_000)) {
    onProgress?.(job);
    await pause(pollMs);
    try {
      job = await read(job.id);
      readAt = Date.now();
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500;
      if (isRefused || Date.now() - readAt > retryMs) throw error;
    }
  }
  return job;
}
