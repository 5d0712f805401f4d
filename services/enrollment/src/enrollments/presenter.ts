import { toWire } from '@lms/contracts/wire';
import type { OwnEnrollment } from './own-repository.ts';
import type { EnrollmentDetails } from './repository.ts';

/** The response schema of a route decides whether `user` is sent: only administrators receive it. */
export const toEnrollment = ({ enrollment, subject, user }: EnrollmentDetails) =>
  Object.assign(toWire(enrollment), { subject, user });

export const toOwnEnrollment = ({ enrollment, subject }: OwnEnrollment) => Object.assign(enrollment, { subject });

/** The columns of the administrators' CSV file: those of an import first. */
export const csvColumns = [
  'email',
  'userId',
  'subjectId',
  'expiresAt',
  'firstName',
  'lastName',
  'subjectName',
  'gradeId',
  'id',
  'status',
  'source',
  'message',
  'requestedAt',
  'decidedAt',
  'decidedBy',
  'decisionReason',
  'endedAt',
  'endedBy',
  'endReason',
  'createdAt',
  'updatedAt',
] as const;

export const toCsvRow = ({ enrollment, subject, user }: EnrollmentDetails) => ({
  ...toWire(enrollment),
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  subjectName: subject.name,
  gradeId: subject.gradeId,
});
