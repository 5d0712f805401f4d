import { enrollmentRequested } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { conflict } from '@lms/server/problems';
import { SubjectGone } from './errors.ts';
import { enrollments } from './repository.ts';
import { toState } from './to-state.ts';

export interface EnrollmentRequest {
  userId: string;
  /** The subject as content answered, and which version of it we had heard of before asking. */
  subject: { id: string; heardVersion: number };
  message: string | null;
}

/** @throws Conflict when the user has an open enrollment in the subject */
export async function requestEnrollment(db: Db, { userId, subject, message }: EnrollmentRequest, cause: Cause) {
  return db.transaction(async (tx) => {
    const parties = await enrollments(tx).lockParties(subject.id, userId);
    // Deleted between content's answer and now: its listener has run and would not see our row.
    if (parties.subject?.isDeleted && parties.subject.version > subject.heardVersion) throw new SubjectGone();

    const row = await enrollments(tx).insertOpen({
      userId,
      subjectId: subject.id,
      status: 'PENDING',
      source: 'REQUEST',
      message,
    });
    if (!row) throw conflict({ resource: 'enrollment', field: 'subjectId', value: subject.id });
    await appendEvent(tx, enrollmentRequested, { aggregateId: row.id, data: toState(row), cause });
    return enrollments(tx).get({ id: row.id });
  });
}
