import type { Db } from '@lms/database/connect';
import type { ImportDeps } from './deps.ts';
import { appendImportEvent } from './events.ts';
import { imports } from './repository.ts';
import type { Import } from './table.ts';

const renewIntervalMs = 5_000;
const progressIntervalMs = 1_000;
/** Progress is published in steps of this many percent. */
const publishedStep = 10;

/** An administrator has cancelled the import. */
export class ImportCancelled extends Error {
  override name = 'ImportCancelled';
}
/** Another process has taken over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** This process ends. */
export class ImportInterrupted extends Error {
  override name = 'ImportInterrupted';
}

type Change = Partial<Pick<Import, 'status' | 'percent' | 'counts' | 'issues' | 'issueCount'>>;

/** An attempt to run an import: renews its lease, notices a cancellation and records the progress. */
export function startAttempt({ database: { db }, notifyRelay }: ImportDeps, job: Import, closing: AbortSignal) {
  const { id, leaseId } = job;
  let percent = job.percent;
  let publishedPercent = percent;
  let recordedAt = performance.now();
  let stopped: Error | undefined;

  /** @throws ImportCancelled, LeaseLost */
  async function update(change: Change, tx: Db = db): Promise<Import> {
    const row = await imports(tx).update(id, leaseId, change);
    if (!row) stopped = new LeaseLost();
    else if (row.isCancelRequested) stopped = new ImportCancelled();
    if (stopped) throw stopped;
    return row ?? job;
  }
  const timer = setInterval(() => {
    // A renewal may fail: a lease outlives several of them.
    update({}).catch(() => undefined);
  }, renewIntervalMs).unref();

  return {
    update,

    /** Records the progress, at most once a second. @throws ImportCancelled, LeaseLost, ImportInterrupted */
    async reach(reached: number) {
      if (closing.aborted) throw new ImportInterrupted();
      if (stopped) throw stopped;
      percent = Math.max(percent, Math.min(99, Math.floor(reached)));
      if (performance.now() - recordedAt < progressIntervalMs) return;
      recordedAt = performance.now();
      const isPublished = percent >= publishedPercent + publishedStep;
      await db.transaction(async (tx) => {
        const row = await update({ percent }, tx);
        if (isPublished) await appendImportEvent(tx, 'progressed', row, {});
      });
      if (!isPublished) return;
      publishedPercent = percent;
      notifyRelay();
    },
    end: () => clearInterval(timer),
  };
}
export type Attempt = ReturnType<typeof startAttempt>;
