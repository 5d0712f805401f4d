import { setTimeout as pause } from 'node:timers/promises';

interface Job {
  /** Null until the job has ended. */
  finishedAt: string | null;
}

interface Options<J> {
  pollMs: number;
  onProgress?: (job: J) => void;
}

/** Waits for an import or export, which it reads again and again. */
export async function untilFinished<J extends Job>(
  started: J,
  read: () => Promise<J>,
  { pollMs, onProgress }: Options<J>,
): Promise<J> {
  let job = started;
  while (job.finishedAt === null) {
    onProgress?.(job);
    await pause(pollMs);
    job = await read();
  }
  return job;
}
