import { ApiError } from './failures.ts';
import { pause } from './send.ts';

/** An import or export. */
export interface Job {
  id: string;
  /** Null until the job has ended. */
  finishedAt: string | null;
}

export interface JobOptions<J> {
  /** For how long requests may fail with a 5xx or without a response, as while the gateway restarts. */
  retryMs?: number;
  onProgress?: (job: J) => void;
}

/**
 * Waits for the end of an import or export, which `read` requests again and again:
 * `await untilFinished(started, (id) => unwrap(client.GET('/api/admin/education/imports/{id}', { params: { path: { id } } })))`.
 */
export async function untilFinished<J extends Job>(
  started: J,
  read: (id: string) => Promise<J>,
  { retryMs = 60_000, onProgress }: JobOptions<J> = {},
): Promise<J> {
  let job = started;
  let readAt = Date.now();
  for (let pollMs = 50; job.finishedAt === null; pollMs = Math.min(2 * pollMs, 1_000)) {
    onProgress?.(job);
    await pause(pollMs, undefined);
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
