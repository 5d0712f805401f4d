import {
  type EnrollmentStatus,
  enrollmentApproved,
  enrollmentCancelled,
  enrollmentExpired,
  enrollmentRejected,
  enrollmentRequested,
  enrollmentRevoked,
  enrollmentWithdrawn,
} from '@lms/contracts/events/enrollment';

/** A user has at most one open enrollment in a subject. */
export const openStatuses = ['PENDING', 'APPROVED'] as const satisfies EnrollmentStatus[];

/** The states that only somebody who was once let in gets into. */
export const onceApprovedStatuses = [
  'APPROVED',
  'WITHDRAWN',
  'REVOKED',
  'EXPIRED',
] as const satisfies EnrollmentStatus[];

/** Every way an enrollment changes: from where, by whom, to what, and the event that tells of it. */
export const transitions = {
  approve: { from: 'PENDING', by: 'ADMIN', to: 'APPROVED', event: enrollmentApproved },
  reject: { from: 'PENDING', by: 'ADMIN', to: 'REJECTED', event: enrollmentRejected },
  cancel: { from: 'PENDING', by: 'OWNER', to: 'CANCELLED', event: enrollmentCancelled },
  withdraw: { from: 'APPROVED', by: 'OWNER', to: 'WITHDRAWN', event: enrollmentWithdrawn },
  revoke: { from: 'APPROVED', by: 'ADMIN', to: 'REVOKED', event: enrollmentRevoked },
  expire: { from: 'APPROVED', by: 'TIME', to: 'EXPIRED', event: enrollmentExpired },
} as const;
export type TransitionName = keyof typeof transitions;
export type Transition = (typeof transitions)[TransitionName];

/** What the deletion of the subject or of the user does to each open enrollment, and their restore undoes. */
export const deletionTransitions = {
  PENDING: { to: 'CANCELLED', event: enrollmentCancelled, restoreEvent: enrollmentRequested },
  APPROVED: { to: 'REVOKED', event: enrollmentRevoked, restoreEvent: enrollmentApproved },
} as const;
export type EndReason = 'SUBJECT_DELETED' | 'USER_DELETED';

const actors = { ADMIN: 'an administrator', OWNER: 'the learner', TIME: 'the passing of `expiresAt`' } as const;

/** A move in words, for the API document. */
export const describeTransition = (name: TransitionName) => {
  const { from, by, to } = transitions[name];
  return `${from} → ${to}, by ${actors[by]}. From any other state: 409 \`INVALID_STATE\` with \`details {current}\`.`;
};

/** What the response of a move says for people. */
export const transitionMessage = (name: TransitionName) => `Enrollment ${transitions[name].to.toLowerCase()}`;

/** All of them in words. */
export const describeTransitions = () =>
  Object.values(transitions)
    .map(({ from, by, to }) => `${from} → ${to} by ${actors[by]}`)
    .join(', ');
