import type { ImportDeps } from './deps.ts';
import { ImportEnded, ImportNotFound } from './errors.ts';
import { imports } from './repository.ts';
import { endImport } from './run-import.ts';

/** Ends an import that waits; one that runs is marked, and then stops. @throws NOT_FOUND, or INVALID_STATE if it has ended */
export async function cancelImport(deps: ImportDeps, id: string) {
  const repository = imports(deps.database.db);
  const job = await repository.requestCancel(id);
  if (!job) {
    const ended = await repository.find(id);
    throw ended ? new ImportEnded({ details: { current: ended.status } }) : new ImportNotFound();
  }
  if (job.status !== 'queued' || job.leaseId !== null) return job;
  const { counts, issues, issueCount } = job;
  return (await endImport(deps, job, { status: 'cancelled', counts, issues, issueCount })) ?? job;
}
