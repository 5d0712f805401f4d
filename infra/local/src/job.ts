import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@lms/client';

export interface Job {
  /** Null until the job has ended. */
  finishedAt: string | null;
}

interface Options<J> {
  pollMs: number;
  timeoutMs?: number;
  /** For how long requests may fail with a 5xx or without a response, as while the gateway restarts. */
  retryMs?: number;
  onProgress?: (job: J) => void;
}

/** Waits for an import or export, which it reads again and again. @throws after `timeoutMs`; by default it waits for ever */
export async function untilFinished<J extends Job>(
  started: J,
  read: () => Promise<J>,
  { pollMs, timeoutMs = Number.POSITIVE_INFINITY, retryMs = 60_000, onProgress }: Options<J>,
): Promise<J> {
  const deadline = Date.now() + timeoutMs;
  let job = started;
  let failingSince: number | undefined;
  while (job.finishedAt === null) {
    if (Date.now() > deadline) throw new Error(`The job has not finished after ${timeoutMs / 1_000} s`);
    onProgress?.(job);
    await pause(pollMs);
    try {
      job = await read();
      failingSince = undefined;
    } catch (error) {
      failingSince ??= Date.now();
      const isRefused = error instanceof ApiError && error.status < 500;
      if (isRefused || Date.now() - failingSince > retryMs) throw error;
    }
  }
  return job;
}
