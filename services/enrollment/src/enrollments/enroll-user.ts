import { enrollmentApproved } from '@lms/contracts/events/enrollment';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { openEnrollment, type SubjectSnapshot } from './open-enrollment.ts';

export interface EnrolledByAdmin {
  userId: string;
  subject: SubjectSnapshot;
  expiresAt: Date | null;
  adminId: string;
}

/** Enrolls somebody without their asking. @throws Conflict when they have an open enrollment in the subject */
export function enrollUser(db: Db, { userId, subject, expiresAt, adminId }: EnrolledByAdmin, cause: Cause) {
  const now = new Date();
  const decided = { requestedAt: now, decidedAt: now, decidedBy: adminId };
  const opening = { userId, subject, expiresAt, ...decided, status: 'APPROVED', source: 'ADMIN' } as const;
  return openEnrollment(db, opening, enrollmentApproved, cause);
}
