import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { SubjectGone, UserGone } from './errors.ts';
import { appendEnrollmentEvents } from './events.ts';
import { expireEnrollments } from './expire-enrollments.ts';
import { enrollments } from './repository.ts';
import type { transitions } from './states.ts';
import { enrollmentTransitions, type NewEnrollment } from './transitions-repository.ts';

/** A subject as content answered, and which version of it we had heard of before asking. */
export interface SubjectSnapshot {
  id: string;
  knownVersion: number;
}

export type OpenEnrollmentInput = Omit<NewEnrollment, 'subjectId'> & { subject: SubjectSnapshot };

/**
 * Opens an enrollment: a request, or at once an approved one.
 * @throws Conflict when the user has an open one in the subject, SubjectGone, UserGone
 */
export async function openEnrollment(
  db: Db,
  { subject, ...opening }: OpenEnrollmentInput,
  event: typeof transitions.approve.event,
  cause: Cause,
) {
  const of = { userId: opening.userId, subjectId: subject.id };
  return db.transaction(async (tx) => {
    const parties = await enrollmentTransitions(tx).lockSubjectAndUser(of.subjectId, of.userId);
    // Deleted between content's answer and now: the listener has run already and would not see our row.
    if (parties.subject?.isDeleted && parties.subject.version > subject.knownVersion) throw new SubjectGone();
    if (parties.user?.isDeleted) throw new UserGone();

    await expireEnrollments(tx, of);
    const row = await enrollmentTransitions(tx).insertOpen({ ...opening, subjectId: of.subjectId });
    if (!row) throw conflict({ resource: 'enrollment', field: 'subjectId', value: of.subjectId });
    await appendEnrollmentEvents(tx, [row], { event, cause });
    return enrollments(tx).get({ id: row.id });
  });
}
