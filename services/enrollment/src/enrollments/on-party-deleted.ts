import type { Db } from '@lms/database/connect';
import { deletions } from './deletions-repository.ts';
import { expireEnrollments } from './expire-enrollments.ts';
import type { Of } from './repository.ts';
import { type EndReason, endings, openStatuses } from './states.ts';
import { tell } from './tell.ts';

/** A subject or a user was deleted: what is open in it or theirs ends, and the reason is told. */
export async function endEnrollments(tx: Db, of: Of, reason: EndReason) {
  await deletions(tx).lockOpen(of);
  await expireEnrollments(tx, of);
  for (const from of openStatuses) {
    const { to, event } = endings[from];
    await tell(tx, await deletions(tx).end(of, from, to, reason), { event, from });
  }
}

/** It was restored: what the deletion ended comes back as it was, unless its other party is gone or time has run out. */
export async function bringBackEnrollments(tx: Db, of: Of, reason: EndReason) {
  await deletions(tx).handOver(of, reason);
  for (const status of openStatuses) {
    const { to, undone } = endings[status];
    await tell(tx, await deletions(tx).bringBack(of, status, to, reason), { event: undone, from: to });
  }
  await deletions(tx).settle(of, reason);
  await expireEnrollments(tx, of);
}
