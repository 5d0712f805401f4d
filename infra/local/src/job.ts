import { setTimeout as pause } from 'node:timers/promises';

export interface Job {
  /** Null until the job has ended. */
  finishedAt: string | null;
}

interface Options<J> {
  pollMs: number;
  timeoutMs?: number;
  onProgress?: (job: J) => void;
}

/** Waits for an import or export, which it reads again and again. @throws after `timeoutMs`; by default it waits for ever */
export async function untilFinished<J extends Job>(
  started: J,
  read: () => Promise<J>,
  { pollMs, timeoutMs = Number.POSITIVE_INFINITY, onProgress }: Options<J>,
): Promise<J> {
  const deadline = Date.now() + timeoutMs;
  let job = started;
  while (job.finishedAt === null) {
    if (Date.now() > deadline) throw new Error(`The job has not finished after ${timeoutMs / 1_000} s`);
    onProgress?.(job);
    await pause(pollMs);
    job = await read();
  }
  return job;
}
