import { errorResponses, Success } from '@lms/contracts/envelope';
import { EnrollmentStatus, enrollmentSources } from '@lms/contracts/events/enrollment';
import { Id, idParams } from '@lms/contracts/ids';
import { EnrolledSubjectsResponse, EnrollmentAccessResponse } from '@lms/contracts/internal/enrollment';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { maxLengths, Nullable, OneOf, Text, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { describeTransition, describeTransitions, transitionMessage } from './states.ts';

export const Enrollment = Type.Object(
  {
    id: Id,
    userId: Id,
    subjectId: Id,
    status: EnrollmentStatus,
    message: Nullable(Type.String({ description: "The learner's message to the administrators" })),
    requestedAt: Timestamp(),
    decidedAt: Nullable(Timestamp()),
    decidedBy: Nullable(Type.String()),
    decisionReason: Nullable(Type.String()),
    expiresAt: Nullable(Timestamp({ description: 'When an approved enrollment expires; null if it does not expire' })),
    endedAt: Nullable(Timestamp()),
    endedBy: Nullable(Type.String({ description: 'Null if the enrollment expired or ended by a deletion' })),
    endReason: Nullable(
      Type.String({ description: '`SUBJECT_DELETED`, `USER_DELETED`, or the reason given by the administrator' }),
    ),
    source: OneOf(enrollmentSources),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    subject: Type.Object({ id: Id, name: Type.String(), gradeId: Id }),
  },
  { title: 'Enrollment' },
);
export type Enrollment = Static<typeof Enrollment>;

/** An id in a body or query string. Malformed ids are treated as unknown ids, not as invalid input. */
export const AnyId = Type.String({ minLength: 1, examples: ['tz4a98xxat96iws9zmbrgj3a'] });
export const Reason = Type.Optional(Nullable(Text(maxLengths.reason)));
export const sorts = ['requestedAt', 'decidedAt', 'status', 'createdAt', 'updatedAt'] as const;
export const latestFirst = { sort: 'requestedAt', order: 'desc' } as const;

export const enrollmentRequested = 'Enrollment requested';

const common = { tags: ['Enrollment'], security: [{ bearer: [] }] };

export const requestEnrollment = {
  ...common,
  operationId: 'requestEnrollment',
  summary: 'Request an enrollment in a subject',
  description: `Creates a PENDING enrollment. A user has at most one open (PENDING or APPROVED) enrollment in a subject; a second request returns 409 \`CONFLICT\`. A closed enrollment is never reopened; a new request creates a new enrollment. Returns 404 if the subject is unknown, inactive or deleted. Status transitions: ${describeTransitions()}. When the subject or the user is deleted, APPROVED becomes REVOKED and PENDING becomes CANCELLED, with the reason in \`endReason\`; restoring the subject or user reverts this.`,
  body: Type.Object({ subjectId: AnyId, message: Reason }),
  response: {
    201: Success(Enrollment, enrollmentRequested),
    ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503),
  },
} as const;

export const listEnrollments = {
  ...common,
  operationId: 'listEnrollments',
  summary: "List the caller's enrollments",
  description:
    "Includes closed enrollments, latest first. An enrollment is EXPIRED from `expiresAt` on. `search` matches the message, the reasons and the subject's name.",
  querystring: PageQuery(sorts, latestFirst, {
    status: Type.Optional(EnrollmentStatus),
    subjectId: Type.Optional(AnyId),
    search: Search,
    ...dateFilters,
  }),
  response: { 200: Page(Enrollment), ...errorResponses(401, 403, 422, 503) },
} as const;

export const getEnrollment = {
  ...common,
  operationId: 'getEnrollment',
  summary: "Get one of the caller's enrollments",
  description: 'Returns 404 for an enrollment of another user.',
  params: idParams('Enrollment'),
  response: { 200: Success(Enrollment), ...errorResponses(401, 403, 404, 503) },
} as const;

const ownerTransition = (name: 'cancel' | 'withdraw') => ({
  ...common,
  params: idParams('Enrollment'),
  response: { 200: Success(Enrollment, transitionMessage(name)), ...errorResponses(401, 403, 404, 409, 503) },
});

export const cancelEnrollment = {
  ...ownerTransition('cancel'),
  operationId: 'cancelEnrollment',
  summary: 'Cancel a pending request',
  description: describeTransition('cancel'),
} as const;

export const withdrawEnrollment = {
  ...ownerTransition('withdraw'),
  operationId: 'withdrawEnrollment',
  summary: 'Leave a subject',
  description: `${describeTransition('withdraw')} Progress and notes are kept.`,
} as const;

export const getEnrollmentAccess = {
  operationId: 'getEnrollmentAccess',
  tags: ['internal'],
  summary: 'Check whether the caller is enrolled in a subject',
  description: 'For content. True for an approved, unexpired enrollment.',
  security: [{ bearer: [] }],
  params: idParams('Subject'),
  response: { 200: EnrollmentAccessResponse, ...errorResponses(401, 403, 404, 503) },
} as const;

export const listEnrolledSubjects = {
  operationId: 'listEnrolledSubjects',
  tags: ['internal'],
  summary: 'List the ids of the subjects that the caller is enrolled in',
  description: 'For the search of content. Contains subjects with an approved, unexpired enrollment.',
  security: [{ bearer: [] }],
  response: { 200: EnrolledSubjectsResponse, ...errorResponses(401, 403, 503) },
} as const;
