import { failures, Success } from '@lms/contracts/envelope';
import { EnrollmentStatus, enrollmentSources } from '@lms/contracts/events/enrollment';
import { Id, IdParams } from '@lms/contracts/ids';
import { EnrollmentAccessAnswer } from '@lms/contracts/internal/enrollment';
import { dateFilters, Page, PageQuery } from '@lms/contracts/pages';
import { maxLengths, Nullable, OneOf, RequiredText, Text, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { describeMove } from './states.ts';

const SubjectOfEnrollment = Type.Object({ id: Id, name: Type.String(), gradeId: Id });
const UserOfEnrollment = Type.Object({
  id: Id,
  email: Type.String(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
});

export const Enrollment = Type.Object(
  {
    id: Id,
    userId: Id,
    subjectId: Id,
    status: EnrollmentStatus,
    message: Nullable(Type.String()),
    requestedAt: Timestamp(),
    decidedAt: Nullable(Timestamp()),
    decidedBy: Nullable(Type.String()),
    decisionReason: Nullable(Type.String()),
    expiresAt: Nullable(Timestamp()),
    endedAt: Nullable(Timestamp()),
    endedBy: Nullable(Type.String()),
    endReason: Nullable(Type.String()),
    source: OneOf(enrollmentSources),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    subject: SubjectOfEnrollment,
  },
  { title: 'Enrollment' },
);
export const AdminEnrollment = Type.Object(
  { ...Enrollment.properties, user: UserOfEnrollment },
  { title: 'AdminEnrollment' },
);

/** An id in a body or query: one that cannot exist is as unknown as any other. */
const AnyId = RequiredText(maxLengths.name, { examples: ['tz4a98xxat96iws9zmbrgj3a'] });
const Reason = Type.Optional(Nullable(Text(maxLengths.reason)));
const sorts = ['requestedAt', 'decidedAt', 'status', 'createdAt', 'updatedAt'] as const;
const latestFirst = { sort: 'requestedAt', order: 'desc' } as const;

const learner = { tags: ['enrollment'], security: [{ bearer: [] }] } as const;
const admin = { tags: ['enrollment review'], security: [{ bearer: [] }] } as const;

export const RequestEnrollment = {
  ...learner,
  operationId: 'requestEnrollment',
  summary: 'Ask to be enrolled in a subject',
  description:
    'Makes a PENDING enrollment. A user has at most one open (PENDING or APPROVED) enrollment in a subject: a second is a 409. A closed one stays as history, and asking again makes a new one. A subject that is unknown, inactive or deleted is a 404.',
  body: Type.Object({ subjectId: AnyId, message: Reason }),
  response: { 201: Success(Enrollment), ...failures(400, 401, 403, 404, 409, 415, 422, 503) },
} as const;

export const ListEnrollments = {
  ...learner,
  operationId: 'listEnrollments',
  summary: "The caller's own enrollments",
  description: 'All of them, closed ones included, latest first.',
  querystring: PageQuery(sorts, latestFirst, {
    status: Type.Optional(EnrollmentStatus),
    subjectId: Type.Optional(AnyId),
    ...dateFilters,
  }),
  response: { 200: Page(Enrollment), ...failures(401, 403, 422, 503) },
} as const;
export type ListEnrollmentsQuery = Static<typeof ListEnrollments.querystring>;

export const GetEnrollment = {
  ...learner,
  operationId: 'getEnrollment',
  summary: "One of the caller's own enrollments",
  description: "Somebody else's is a 404.",
  params: IdParams,
  response: { 200: Success(Enrollment), ...failures(401, 403, 404, 503) },
} as const;

export const ListPendingEnrollments = {
  ...admin,
  operationId: 'listPendingEnrollments',
  summary: 'The enrollments that wait for a decision',
  description: 'Oldest first.',
  querystring: PageQuery(
    sorts,
    { sort: 'requestedAt', order: 'asc' },
    { userId: Type.Optional(AnyId), subjectId: Type.Optional(AnyId), ...dateFilters },
  ),
  response: { 200: Page(AdminEnrollment), ...failures(401, 403, 422, 503) },
} as const;

const decision = {
  ...admin,
  params: IdParams,
  response: { 200: Success(AdminEnrollment), ...failures(400, 401, 403, 404, 409, 415, 422, 503) },
} as const;

export const ApproveEnrollment = {
  ...decision,
  operationId: 'approveEnrollment',
  summary: 'Approve an enrollment',
  description: `${describeMove('approve')} \`expiresAt\`, when given, must lie in the future; the enrollment ends by itself at that moment.`,
  body: Type.Object({ expiresAt: Type.Optional(Nullable(Timestamp())), reason: Reason }),
} as const;

export const RejectEnrollment = {
  ...decision,
  operationId: 'rejectEnrollment',
  summary: 'Reject an enrollment',
  description: `${describeMove('reject')} The reason is kept as \`decisionReason\`.`,
  body: Type.Object({ reason: Reason }),
} as const;

export const GetEnrollmentAccess = {
  operationId: 'getEnrollmentAccess',
  tags: ['internal'],
  summary: 'Is the caller enrolled in this subject right now?',
  description: 'Asked by neighbours with the passport of their caller.',
  security: [{ bearer: [] }],
  params: IdParams,
  response: { 200: EnrollmentAccessAnswer, ...failures(401, 403, 404, 503) },
} as const;
