import { startJob } from '@lms/service/start-job';
import type { Logger } from 'pino';
import type { ResumableDeps } from './deps.ts';
import { contextOf, type Finisher } from './finish-upload.ts';
import { removePart } from './remove-part.ts';
import { uploadRepository } from './repository.ts';

const batchSize = 100;
const finishedAtOnce = 2;

export interface UploadReaperOptions {
  deps: ResumableDeps;
  finisher: Finisher;
  intervalMs: number;
  logger: Pick<Logger, 'warn'>;
}

/** Finishes uploads whose process was killed, and deletes what expired and ended uploads leave behind. */
export function createUploadReaper({ deps, finisher, intervalMs, logger }: UploadReaperOptions) {
  const repository = uploadRepository(deps.db);
  let job: ReturnType<typeof startJob> | undefined;

  async function run() {
    for (const { result } of await repository.terminateExpired()) if (!result) deps.metrics.count('expired');
    await repository.endLeases();
    await deleteParts();
    await repository.deleteTerminated();
    await finishDue();
  }

  async function deleteParts() {
    for (;;) {
      const unneeded = await repository.listUnneededParts(batchSize);
      for (const { key } of unneeded) await removePart(deps, key);
      if (unneeded.length < batchSize) return;
    }
  }

  async function finishDue() {
    for (;;) {
      const due = await repository.listDue(finishedAtOnce);
      if (due.length === 0) return;
      await Promise.all(
        due.map(async (upload) => {
          try {
            await finisher.finish(upload, contextOf(upload));
          } catch (err) {
            logger.warn(
              { err, uploadId: upload.id, attempts: upload.attempts },
              'upload could not be finished and will be retried',
            );
          }
        }),
      );
    }
  }

  return {
    start() {
      job = startJob({ name: 'resumable uploads', intervalMs, run }, logger);
    },
    /** Runs now instead of after the interval. */
    runNow: () => job?.runNow(),
    /** Resolves when the current run has ended. */
    stop: async () => job?.stop(),
  };
}
