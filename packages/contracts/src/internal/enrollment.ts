import { type Static, Type } from '@sinclair/typebox';
import { Success } from '../envelope.ts';
import { Id } from '../ids.ts';
import { Nullable, Timestamp } from '../text.ts';

/** `GET` returns whether the caller is enrolled in this subject. */
export const enrollmentAccessPath = (subjectId: string) => `/internal/subjects/${subjectId}/access`;
export const EnrollmentAccess = Type.Object({
  subjectId: Id,
  granted: Type.Boolean(),
  expiresAt: Nullable(Timestamp()),
});
export type EnrollmentAccess = Static<typeof EnrollmentAccess>;
export const EnrollmentAccessResponse = Success(EnrollmentAccess);

/** `GET` returns the ids of the subjects that the caller is enrolled in, for the search in protected content. */
export const enrolledSubjectsPath = '/internal/subjects';
export const EnrolledSubjects = Type.Array(Id);
export type EnrolledSubjects = Static<typeof EnrolledSubjects>;
export const EnrolledSubjectsResponse = Success(EnrolledSubjects);
