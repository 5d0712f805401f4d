import type { Db } from '@lms/database/connect';
import { deletions } from './deletions-repository.ts';
import { appendEnrollmentEvents } from './events.ts';
import { expireEnrollments } from './expire-enrollments.ts';
import type { Scope } from './repository.ts';
import { deletionTransitions, type EndReason, openStatuses } from './states.ts';

/** Ends the open enrollments of a deleted subject or user. */
export async function endEnrollments(tx: Db, scope: Scope, reason: EndReason) {
  const batches = await deletions(tx).lockOpen(scope);
  await expireEnrollments(tx, scope);
  for (const ids of batches)
    for (const from of openStatuses) {
      const { to, event } = deletionTransitions[from];
      const ended = await deletions(tx).end(ids, from, to, reason);
      await appendEnrollmentEvents(tx, ended, { event, from });
    }
}
