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
    message: Nullable(Type.String({ description: 'What the learner wrote with the request' })),
    requestedAt: Timestamp(),
    decidedAt: Nullable(Timestamp()),
    decidedBy: Nullable(Type.String()),
    decisionReason: Nullable(Type.String()),
    expiresAt: Nullable(Timestamp({ description: 'When an approved one ends by itself' })),
    endedAt: Nullable(Timestamp()),
    endedBy: Nullable(Type.String({ description: 'Null when it ended by time or by a deletion' })),
    endReason: Nullable(Type.String({ description: '`SUBJECT_DELETED`, `USER_DELETED`, or what was said' })),
    source: OneOf(enrollmentSources),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    subject: Type.Object({ id: Id, name: Type.String(), gradeId: Id }),
  },
  { title: 'Enrollment' },
);
export type Enrollment = Static<typeof Enrollment>;

/** An id in a body or query: one that cannot exist is as unknown as any other. */
export const AnyId = Type.String({ minLength: 1, examples: ['tz4a98xxat96iws9zmbrgj3a'] });
export const Reason = Type.Optional(Nullable(Text(maxLengths.reason)));
export const sorts = ['requestedAt', 'decidedAt', 'status', 'createdAt', 'updatedAt'] as const;
export const latestFirst = { sort: 'requestedAt', order: 'desc' } as const;

/** What the response of a request says for people. */
export const enrollmentRequested = 'Enrollment requested';

const common = { tags: ['enrollment'], security: [{ bearer: [] }] };

export const requestEnrollment = {
  ...common,
  operationId: 'requestEnrollment',
  summary: 'Ask to be enrolled in a subject',
  description: `Makes a PENDING enrollment. A user has at most one open (PENDING or APPROVED) enrollment in a subject: a second is a 409 \`CONFLICT\`. A closed one stays as history, and asking again makes a new one. A subject that is unknown, inactive or deleted is a 404. The life of an enrollment: ${describeTransitions()}. When the subject or the user is deleted, APPROVED becomes REVOKED and PENDING becomes CANCELLED with the reason in \`endReason\`; a restore brings them back.`,
  body: Type.Object({ subjectId: AnyId, message: Reason }),
  response: {
    201: Success(Enrollment, enrollmentRequested),
    ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503),
  },
} as const;

export const listEnrollments = {
  ...common,
  operationId: 'listEnrollments',
  summary: "The caller's own enrollments",
  description:
    "All of them, closed ones included, latest first. An expiry shows the moment it passes. `search` looks into the message, the reasons and the subject's name.",
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
  summary: "One of the caller's own enrollments",
  description: "Somebody else's is a 404.",
  params: idParams('Enrollment'),
  response: { 200: Success(Enrollment), ...errorResponses(401, 403, 404, 503) },
} as const;

const ownersMove = (name: 'cancel' | 'withdraw') => ({
  ...common,
  params: idParams('Enrollment'),
  response: { 200: Success(Enrollment, transitionMessage(name)), ...errorResponses(401, 403, 404, 409, 503) },
});

export const cancelEnrollment = {
  ...ownersMove('cancel'),
  operationId: 'cancelEnrollment',
  summary: 'Take back a request that is not decided yet',
  description: describeTransition('cancel'),
} as const;

export const withdrawEnrollment = {
  ...ownersMove('withdraw'),
  operationId: 'withdrawEnrollment',
  summary: 'Leave a subject',
  description: `${describeTransition('withdraw')} Progress and notes stay.`,
} as const;

export const getEnrollmentAccess = {
  operationId: 'getEnrollmentAccess',
  tags: ['internal'],
  summary: 'Is the caller enrolled in this subject right now?',
  description: 'Asked by neighbours with the passport of their caller.',
  security: [{ bearer: [] }],
  params: idParams('Subject'),
  response: { 200: EnrollmentAccessResponse, ...errorResponses(401, 403, 404, 503) },
} as const;

export const listEnrolledSubjects = {
  operationId: 'listEnrolledSubjects',
  tags: ['internal'],
  summary: 'The subjects that the caller is enrolled in right now',
  description: 'Asked by content, for searching their texts.',
  security: [{ bearer: [] }],
  response: { 200: EnrolledSubjectsResponse, ...errorResponses(401, 403, 503) },
} as const;
