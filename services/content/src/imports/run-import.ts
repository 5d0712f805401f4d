import { statusOf } from '@lms/service/problems';
import { ArchiveRefused } from '../curriculum/archive.ts';
import { openFile } from '../curriculum/formats.ts';
import type { RangeSource } from '../curriculum/range-reader.ts';
import { ImportCancelled, ImportInterrupted, LeaseLost, startAttempt } from './attempt.ts';
import { collectIssues } from './collect-issues.ts';
import type { ImportDeps } from './deps.ts';
import { appendImportEvent, causeOfJob } from './events.ts';
import { importItems } from './items-repository.ts';
import { readFile } from './read-file.ts';
import { imports } from './repository.ts';
import { storeMedia } from './store-media.ts';
import type { Import } from './table.ts';
import { writeOutline } from './write-outline.ts';

const maxAttempts = 20;
const maxBackOffSeconds = 60;

type End = Pick<Import, 'status' | 'counts' | 'issues' | 'issueCount'>;

/**
 * Runs an import from where it is: the checks and the outline as a whole, or the files that are left. It ends in a status, or is
 * left to another attempt.
 */
export async function runImport(deps: ImportDeps, job: Import, closing: AbortSignal): Promise<Import | undefined> {
  const attempt = startAttempt(deps, job, closing);
  const issues = collectIssues(job);
  let counts = { ...job.counts };
  const end = (status: Import['status']) => endImport(deps, job, { status, counts, ...issues.result() });
  try {
    // The import may be what has ended the process in each attempt.
    if (job.attempts > maxAttempts) throw new Error('the process has ended in the last attempt');
    if (job.fileId === null) throw new Error('the import has no file');
    const actor = { userId: job.createdBy, requestId: job.requestId };
    const source = deps.media.fileSource(actor, job.fileId, job.size);
    const isWritten = job.status === 'importing';
    if (!isWritten) await attempt.update({ status: 'checking' });
    const reading = countReads(source);
    const file = await openFile(job.format, isWritten ? source : reading.source);
    if (!isWritten) {
      await readFile(deps.database.db, job.id, file, issues, () => attempt.reach(40 * reading.fraction()));
      if (!issues.hasErrors()) counts = await writeOutline(deps, job, attempt, issues);
      deps.notifyRelay();
      if (issues.hasErrors() || job.dryRun) return await end(issues.hasErrors() ? 'failed' : 'completed');
    }
    await storeMedia(deps, { ...job, counts }, file.archive, attempt, issues);
    return await end('completed');
  } catch (error) {
    if (error instanceof LeaseLost) return undefined;
    if (error instanceof ImportCancelled) return await end('cancelled');
    if (error instanceof ArchiveRefused) {
      issues.add(error.issue);
      return await end('failed');
    }
    // The administrator has as many uploads in progress as a user may have.
    const waitsForSlot = statusOf(error) === 429;
    // 404: the stored file has expired.
    if ((job.attempts >= maxAttempts && !waitsForSlot) || statusOf(error) === 404) {
      issues.add({ severity: 'error', location: '', code: 'INTERNAL_ERROR', message: 'The import could not be run' });
      deps.logger.error({ err: error, importId: job.id }, 'import failed');
      return await end('failed');
    }
    deps.logger.warn(
      { err: error, importId: job.id, attempts: job.attempts },
      'import interrupted and will be continued',
    );
    const pauseSeconds = error instanceof ImportInterrupted ? 0 : Math.min(2 ** job.attempts, maxBackOffSeconds);
    if (job.leaseId !== null) await imports(deps.database.db).release(job.id, job.leaseId, pauseSeconds, !waitsForSlot);
    return undefined;
  } finally {
    attempt.end();
  }
}

/** Ends an import in one transaction with its event, and deletes what it needed. */
export async function endImport(
  deps: ImportDeps,
  job: Import,
  { status, ...result }: End,
): Promise<Import | undefined> {
  const { db } = deps.database;
  const ended = await db.transaction(async (tx) => {
    const percent = status === 'completed' ? { percent: 100 } : {};
    const change = { ...result, ...percent, status, fileId: null, finishedAt: new Date() };
    const row = await imports(tx).update(job.id, job.leaseId, change);
    if (!row) return undefined;
    await importItems(tx, job.id).clear();
    const event = status === 'completed' || status === 'cancelled' ? status : 'failed';
    await appendImportEvent(tx, event, row, causeOfJob(job));
    return row;
  });
  deps.notifyRelay();
  if (!ended || job.fileId === null) return ended;
  // What remains is deleted when it expires.
  await deps.media.deleteFile({ userId: job.createdBy, requestId: job.requestId }, job.fileId).catch(() => undefined);
  return ended;
}

/** Counts how much of a file has been read. */
function countReads(source: RangeSource) {
  let read = 0;
  return {
    source: {
      size: source.size,
      async open(start: number, end: number) {
        read += end - start;
        return source.open(start, end);
      },
    },
    fraction: () => Math.min(1, read / Math.max(1, source.size)),
  };
}
