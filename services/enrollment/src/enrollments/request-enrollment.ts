import { enrollmentRequested } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { openEnrollment, type SubjectSnapshot } from './open-enrollment.ts';

export interface EnrollmentRequest {
  userId: string;
  subject: SubjectSnapshot;
  message: string | null;
}

/** @throws Conflict when the user has an open enrollment in the subject */
export const requestEnrollment = (db: Db, asked: EnrollmentRequest, cause: Cause) =>
  openEnrollment(db, { ...asked, status: 'PENDING', source: 'REQUEST' }, enrollmentRequested, cause);
