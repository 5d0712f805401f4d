import { enrollmentApproved, enrollmentRequested } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import { inTransaction } from '@lms/database/in-transaction';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { SubjectGone, UserGone } from './errors.ts';
import { appendEnrollmentEvents } from './events.ts';
import { expireEnrollments } from './expire-enrollments.ts';
import type { transitions } from './states.ts';
import { enrollmentTransitions, type NewEnrollment } from './transitions-repository.ts';

/** A subject that content has confirmed as live, and the version of the local copy before content was called. */
export interface SubjectSnapshot {
  id: string;
  knownVersion: number;
}

export interface EnrollmentRequest {
  userId: string;
  subject: SubjectSnapshot;
  message: string | null;
}

export interface AdminEnrollment {
  userId: string;
  subject: SubjectSnapshot;
  expiresAt: Date | null;
  adminId: string;
}

/** @throws Conflict if the user has an open enrollment in the subject, SubjectGone, UserGone */
export const requestEnrollment = (db: Db, input: EnrollmentRequest, cause: Cause) =>
  openEnrollment(db, { ...input, status: 'PENDING', source: 'REQUEST' }, enrollmentRequested, cause);

/** Enrolls a user without a request. @throws the same errors as requestEnrollment */
export function enrollUser(db: Db, { userId, subject, expiresAt, adminId }: AdminEnrollment, cause: Cause) {
  const now = new Date();
  const decision = { requestedAt: now, decidedAt: now, decidedBy: adminId };
  const values = { userId, subject, expiresAt, ...decision, status: 'APPROVED', source: 'ADMIN' } as const;
  return openEnrollment(db, values, enrollmentApproved, cause);
}

type OpenEnrollment = Omit<NewEnrollment, 'subjectId'> & { subject: SubjectSnapshot };

async function openEnrollment(
  db: Db,
  { subject, ...values }: OpenEnrollment,
  event: typeof transitions.approve.event,
  cause: Cause,
) {
  const scope = { userId: values.userId, subjectId: subject.id };
  return inTransaction(db, async (tx) => {
    const { lockSubjectAndUser, insertOpen } = enrollmentTransitions(tx);
    const locked = await lockSubjectAndUser(scope.subjectId, scope.userId);
    // Deleted after content's response: the event handler has already run and would not see the new row.
    if (locked.subject.isDeleted && locked.subject.version > subject.knownVersion) throw new SubjectGone();
    if (locked.user.isDeleted) throw new UserGone();

    const open = { ...values, subjectId: scope.subjectId };
    // An enrollment past its `expiresAt` counts as open until it is stored as EXPIRED.
    let enrollment = await insertOpen(open);
    if (!enrollment) {
      await expireEnrollments(tx, scope);
      // Whether it expired just now or in another transaction, for which this waits.
      enrollment = await insertOpen(open);
    }
    if (!enrollment) throw conflict({ resource: 'enrollment', field: 'subjectId', value: scope.subjectId });
    await appendEnrollmentEvents(tx, [enrollment], { event, cause });
    return { enrollment, subject: locked.subject, user: locked.user };
  });
}
