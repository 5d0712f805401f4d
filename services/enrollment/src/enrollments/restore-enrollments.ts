import type { Db } from '@lms/database/connect';
import { deletions } from './deletions-repository.ts';
import { appendEnrollmentEvents } from './events.ts';
import { expireEnrollments } from './expire-enrollments.ts';
import type { Scope } from './repository.ts';
import { deletionTransitions, type EndReason, openStatuses } from './states.ts';

/**
 * Restores the enrollments that the deletion of a subject or user ended, except those whose user or subject is still
 * deleted and those that have expired since.
 */
export async function restoreEnrollments(tx: Db, scope: Scope, reason: EndReason) {
  const batches = await deletions(tx).lockRestorable(scope, reason);
  await deletions(tx).deferRestore(scope, reason);
  for (const ids of batches)
    for (const status of openStatuses) {
      const { to: from, restoreEvent: event } = deletionTransitions[status];
      const restored = await deletions(tx).restore(ids, status, from, reason);
      await appendEnrollmentEvents(tx, restored, { event, from });
    }
  await deletions(tx).finishRestore(scope, reason);
  await expireEnrollments(tx, scope);
}
