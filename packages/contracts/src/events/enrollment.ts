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

export const enrollmentSources = ['REQUEST', 'ADMIN'] as const;

/** An enrollment without the learner's message, which only the enrollment service has. */
export const EnrollmentState = Type.Object({
  id: Id,
  userId: Id,
  subjectId: Id,
  status: EnrollmentStatus,
  source: OneOf(enrollmentSources),
  requestedAt: Timestamp(),
  decidedAt: Nullable(Timestamp()),
  decidedBy: Nullable(Type.String()),
  decisionReason: Nullable(Type.String()),
  expiresAt: Nullable(Timestamp()),
  endedAt: Nullable(Timestamp()),
  endedBy: Nullable(Type.String()),
  endReason: Nullable(Type.String()),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
});
export type EnrollmentState = Static<typeof EnrollmentState>;

export const enrollmentRequested = defineEvent('enrollment.enrollment.requested', EnrollmentState);
export const enrollmentApproved = defineEvent('enrollment.enrollment.approved', EnrollmentState);
export const enrollmentRejected = defineEvent('enrollment.enrollment.rejected', EnrollmentState);
export const enrollmentCancelled = defineEvent('enrollment.enrollment.cancelled', EnrollmentState);
export const enrollmentWithdrawn = defineEvent('enrollment.enrollment.withdrawn', EnrollmentState);
export const enrollmentRevoked = defineEvent('enrollment.enrollment.revoked', EnrollmentState);
export const enrollmentExpired = defineEvent('enrollment.enrollment.expired', EnrollmentState);

/** The subject of all events that can invalidate cached access decisions. */
export const enrollmentEvents = 'lms.enrollment.enrollment.*.v1';

/** A learner completed a topic. It is published again if the learner undoes and repeats it. */
export const TopicCompletedState = Type.Object({
  id: Id,
  userId: Id,
  topicId: Id,
  subjectId: Id,
  completedAt: Timestamp(),
});
export type TopicCompletedState = Static<typeof TopicCompletedState>;
export const topicCompleted = defineEvent('enrollment.progress.topic-completed', TopicCompletedState);
