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

/** The statuses that an enrollment reaches only after its approval. */
export const onceApprovedStatuses = [
  'APPROVED',
  'WITHDRAWN',
  'REVOKED',
  'EXPIRED',
] as const satisfies EnrollmentStatus[];

/** The state machine: start status, actor, end status and event of each transition. */
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

/** What the deletion of a subject or user does to each open status; a restore undoes it and publishes `restoreEvent`. */
export const deletionTransitions = {
  PENDING: { to: 'CANCELLED', event: enrollmentCancelled, restoreEvent: enrollmentRequested },
  APPROVED: { to: 'REVOKED', event: enrollmentRevoked, restoreEvent: enrollmentApproved },
} as const;
export type EndReason = 'SUBJECT_DELETED' | 'USER_DELETED';

const actors = { ADMIN: 'an administrator', OWNER: 'the learner', TIME: 'time, at `expiresAt`' } as const;

/** Describes a transition in the OpenAPI document. */
export const describeTransition = (name: TransitionName) => {
  const { from, by, to } = transitions[name];
  return `${from} → ${to}, by ${actors[by]}. Returns 409 \`INVALID_STATE\` with \`details {current}\` from any other status.`;
};

/** The `message` of a transition's response. */
export const transitionMessage = (name: TransitionName) => `Enrollment ${transitions[name].to.toLowerCase()}`;

/** Describes the whole state machine in the OpenAPI document. */
export const describeTransitions = () =>
  Object.values(transitions)
    .map(({ from, by, to }) => `${from} → ${to} by ${actors[by]}`)
    .join(', ');
