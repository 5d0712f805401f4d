import { type Static, Type } from '@sinclair/typebox';
import { Id } from '../ids.ts';
import { Nullable, OneOf, Timestamp } from '../text.ts';
import { defineEvent } from './definition.ts';

export const enrollmentStatuses = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'CANCELLED',
  'WITHDRAWN',
  'REVOKED',
  'EXPIRED',
] as const;
export const EnrollmentStatus = OneOf(enrollmentStatuses);
export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

export const EnrollmentState = Type.Object({
  id: Id,
  userId: Id,
  subjectId: Id,
  status: EnrollmentStatus,
  expiresAt: Nullable(Timestamp()),
  updatedAt: Timestamp(),
});
export type EnrollmentState = Static<typeof EnrollmentState>;

export const enrollmentRequested = defineEvent('enrollment.enrollment.requested', EnrollmentState);
export const enrollmentApproved = defineEvent('enrollment.enrollment.approved', EnrollmentState);
export const enrollmentRejected = defineEvent('enrollment.enrollment.rejected', EnrollmentState);
