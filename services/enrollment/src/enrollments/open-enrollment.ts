import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { SubjectGone, UserGone } from './errors.ts';
import { expireEnrollments } from './expire-enrollments.ts';
import { enrollmentMoves, type NewEnrollment } from './moves-repository.ts';
import { enrollments } from './repository.ts';
import type { moves } from './states.ts';
import { tell } from './tell.ts';

/** A subject as content answered, and which version of it we had heard of before asking. */
export interface AskedSubject {
  id: string;
  heardVersion: number;
}

export type Opening = Omit<NewEnrollment, 'subjectId'> & { subject: AskedSubject };

/**
 * Opens an enrollment: a request, or at once an approved one.
 * @throws Conflict when the user has an open one in the subject, SubjectGone, UserGone
 */
export async function openEnrollment(
  db: Db,
  { subject, ...opening }: Opening,
  event: typeof moves.approve.event,
  cause: Cause,
) {
  const of = { userId: opening.userId, subjectId: subject.id };
  return db.transaction(async (tx) => {
    const parties = await enrollmentMoves(tx).lockParties(of.subjectId, of.userId);
    // Deleted between content's answer and now: the listener has run already and would not see our row.
    if (parties.subject?.isDeleted && parties.subject.version > subject.heardVersion) throw new SubjectGone();
    if (parties.user?.isDeleted) throw new UserGone();

    await expireEnrollments(tx, of);
    const row = await enrollmentMoves(tx).insertOpen({ ...opening, subjectId: of.subjectId });
    if (!row) throw conflict({ resource: 'enrollment', field: 'subjectId', value: of.subjectId });
    await tell(tx, [row], { event, cause });
    return enrollments(tx).get({ id: row.id });
  });
}
