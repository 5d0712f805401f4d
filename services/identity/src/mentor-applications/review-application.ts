import { mentorApplicationEvents } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { ApplicationDecided, ApplicationNotFound } from './errors.ts';
import type { People } from './people.ts';
import { toApplicationState } from './presenter.ts';
import { applications, type Submission } from './repository.ts';

export interface Review {
  id: string;
  decision: 'approved' | 'rejected';
  note: string | null;
}

const statuses = { approved: 'APPROVED', rejected: 'REJECTED' } as const;

/**
 * Decides a pending application; approval gives the MENTOR role in the same transaction. Of two admins at once one wins.
 * @throws ApplicationNotFound, ApplicationDecided, UserGone
 */
export function reviewApplication(db: Db, people: People, review: Review, cause: Cause): Promise<Submission> {
  const { id, decision: verdict, note: reviewNote } = review;
  const status = statuses[verdict];
  return db.transaction(async (tx) => {
    const before = await applications(tx).find(id);
    if (!before) throw new ApplicationNotFound();
    // Everybody takes the user's row first and the application's second.
    if (before.status === 'PENDING') await people.lock(tx, before.userId);
    const decision = { status, reviewedBy: cause.actorId ?? null, reviewedAt: new Date(), reviewNote };
    const decided = await applications(tx).decide(id, decision);
    if (!decided) throw new ApplicationDecided({ details: { current: (await applications(tx).find(id))?.status } });
    if (verdict === 'approved') await grantMentor(tx, people, decided.userId, cause);
    const changes = { status: { from: before.status, to: status } };
    await appendEvent(tx, mentorApplicationEvents[verdict], {
      aggregateId: id,
      data: toApplicationState(decided),
      changes,
      cause,
    });
    await people.record(tx, {
      cause,
      action: `mentor-application.${verdict}`,
      entity: 'mentor-application',
      entityId: id,
      changes,
    });
    return applications(tx).get(id);
  });
}

async function grantMentor(tx: Db, people: People, userId: string, cause: Cause) {
  const roles = await people.activeRoles(tx, userId);
  if (!roles.includes('MENTOR')) await people.grant(tx, userId, 'MENTOR', cause);
}
