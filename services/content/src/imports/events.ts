import { importEvents } from '@lms/contracts/events/content';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import type { Import } from './table.ts';

/** Call it in the transaction of the change. Only the beginning and the end of an import have a cause and are audited. */
export function appendImportEvent(tx: Db, event: keyof typeof importEvents, job: Import, cause: Cause) {
  const { id, status, mode, dryRun, fileName, percent, counts, issueCount, createdBy } = job;
  const data = {
    ...{ id, status, mode, dryRun, fileName, percent, issueCount, createdBy },
    counts: { ...counts },
    createdAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
  return appendEvent(tx, importEvents[event], { aggregateId: id, data, cause });
}

export const causeOfJob = ({ createdBy, requestId }: Pick<Import, 'createdBy' | 'requestId'>): Cause => ({
  actorId: createdBy,
  requestId,
});
