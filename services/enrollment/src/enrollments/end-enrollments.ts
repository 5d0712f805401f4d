import type { Db } from '@lms/database/connect';
import { deletions } from './deletions-repository.ts';
import { appendEnrollmentEvents } from './events.ts';
import { expireEnrollments } from './expire-enrollments.ts';
import type { Scope } from './repository.ts';
import { deletionTransitions, type EndReason, openStatuses } from './states.ts';

/** A subject or a user was deleted: what is open in it or theirs ends, and the reason is told. */
export async function endEnrollments(tx: Db, of: Scope, reason: EndReason) {
  await deletions(tx).lockOpen(of);
  await expireEnrollments(tx, of);
  for (const from of openStatuses) {
    const { to, event } = deletionTransitions[from];
    await appendEnrollmentEvents(tx, await deletions(tx).end(of, from, to, reason), { event, from });
  }
}

/** It was restored: what the deletion ended comes back as it was, unless its other party is gone or time has run out. */
export async function restoreEnrollments(tx: Db, of: Scope, reason: EndReason) {
  await deletions(tx).deferRestore(of, reason);
  for (const status of openStatuses) {
    const { to, restoreEvent: undone } = deletionTransitions[status];
    await appendEnrollmentEvents(tx, await deletions(tx).restore(of, status, to, reason), { event: undone, from: to });
  }
  await deletions(tx).finishRestore(of, reason);
  await expireEnrollments(tx, of);
}
