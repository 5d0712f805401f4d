import type { Db } from '@lms/database/connect';
import { inTransaction } from '@lms/database/in-transaction';
import type { Cause } from '@lms/events/append-event';
import type { ApplicationDeps } from './deps.ts';
import { ApplicationDecided, ApplicationNotFound } from './errors.ts';
import { appendApplicationEvent } from './events.ts';
import { applications, type Submission } from './repository.ts';

export interface Review {
  id: string;
  decision: 'approved' | 'rejected';
  note: string | null;
}

const statuses = { approved: 'APPROVED', rejected: 'REJECTED' } as const;

/**
 * Decides a pending application. Approving it assigns MENTOR in the same transaction. Of two concurrent decisions one
 * succeeds.
 * @throws ApplicationNotFound, ApplicationDecided, UserDeleted
 */
export function reviewApplication(db: Db, deps: ApplicationDeps, review: Review, cause: Cause): Promise<Submission> {
  const { id, decision, note: reviewNote } = review;
  const status = statuses[decision];
  return inTransaction(db, async (tx) => {
    const before = await applications(tx).find(id);
    if (!before) throw new ApplicationNotFound();
    // Every transaction locks the user before the application, to prevent deadlocks.
    if (before.status === 'PENDING') await deps.lockUser(tx, before.userId);
    const reviewedBy = cause.actorId ?? null;
    const decided = await applications(tx).decide(id, { status, reviewedBy, reviewedAt: new Date(), reviewNote });
    if (!decided) throw new ApplicationDecided({ details: { current: (await applications(tx).find(id))?.status } });
    if (decision === 'approved') await grantMentor(tx, deps, decided.userId, cause);
    const changes = { status: { from: before.status, to: status } };
    await appendApplicationEvent(tx, decision, decided, { changes, cause });
    const action = `mentor-application.${decision}`;
    await deps.recordChange(tx, { cause, action, entity: 'mentor-application', entityId: id, changes });
    return applications(tx).get(id);
  });
}

async function grantMentor(tx: Db, deps: ApplicationDeps, userId: string, cause: Cause) {
  const roles = await deps.listActiveRoles(tx, userId);
  if (!roles.includes('MENTOR')) await deps.grantRole(tx, userId, 'MENTOR', cause);
}
