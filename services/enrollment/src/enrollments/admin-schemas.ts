import { errorResponses, Success } from '@lms/contracts/envelope';
import { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, OneOf, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { type BulkAction, bulkActions } from './decide-enrollments.ts';
import { AnyId, Enrollment, latestFirst, Reason, sorts } from './schemas.ts';
import { describeTransition, transitionMessage, transitions } from './states.ts';

export const UserOfEnrollment = Type.Object({
  id: Id,
  email: Type.String(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
});

const AdminEnrollment = Type.Object({ ...Enrollment.properties, user: UserOfEnrollment }, { title: 'AdminEnrollment' });
const ExpiresAt = Type.Optional(
  Nullable(
    Timestamp({
      description: 'In the future; without it the enrollment lasts',
      examples: ['2099-12-31T23:59:59.999Z'],
    }),
  ),
);

export const userEnrolled = 'User enrolled';

const common = { tags: ['enrollment'], security: [{ bearer: [] }] };
const searched = "`search` looks into the user's names and e-mail, the message, the reasons and the subject's name.";
const whose = { userId: Type.Optional(AnyId), subjectId: Type.Optional(AnyId), search: Search, ...dateFilters };

export const listPendingEnrollments = {
  ...common,
  operationId: 'listPendingEnrollments',
  summary: 'The enrollments that wait for a decision',
  description: `Oldest first. ${searched}`,
  querystring: PageQuery(sorts, { sort: 'requestedAt', order: 'asc' }, whose),
  response: { 200: Page(AdminEnrollment), ...errorResponses(401, 403, 422, 503) },
} as const;

export const listAllEnrollments = {
  ...common,
  operationId: 'listAllEnrollments',
  summary: 'All enrollments',
  description: `In every state unless \`status\` names one, latest first. ${searched}`,
  querystring: PageQuery(sorts, latestFirst, { status: Type.Optional(EnrollmentStatus), ...whose }),
  response: { 200: Page(AdminEnrollment), ...errorResponses(401, 403, 422, 503) },
} as const;

export const enrollUser = {
  ...common,
  operationId: 'enrollUser',
  summary: 'Enroll somebody without their asking',
  description:
    'Makes an APPROVED enrollment with source ADMIN. An open one of the same user in the subject, a request included, is a 409 `CONFLICT`. A user or subject that is unknown, deleted or not live is a 404.',
  body: Type.Object({ userId: AnyId, subjectId: AnyId, expiresAt: ExpiresAt }),
  response: { 201: Success(AdminEnrollment, userEnrolled), ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503) },
} as const;

const decision = (name: BulkAction) => ({
  ...common,
  params: idParams('Enrollment'),
  response: {
    200: Success(AdminEnrollment, transitionMessage(name)),
    ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503),
  },
});

export const approveEnrollment = {
  ...decision('approve'),
  operationId: 'approveEnrollment',
  summary: 'Approve an enrollment',
  description: `${describeTransition('approve')} With \`expiresAt\` the enrollment ends by itself at that moment. Needs no body.`,
  body: Type.Object({ expiresAt: ExpiresAt, reason: Reason }),
} as const;

export const rejectEnrollment = {
  ...decision('reject'),
  operationId: 'rejectEnrollment',
  summary: 'Reject an enrollment',
  description: `${describeTransition('reject')} The reason is kept as \`decisionReason\`. Needs no body.`,
  body: Type.Object({ reason: Reason }),
} as const;

export const revokeEnrollment = {
  ...decision('revoke'),
  operationId: 'revokeEnrollment',
  summary: 'End an enrollment',
  description: `${describeTransition('revoke')} The reason is kept as \`endReason\`. Access to the substance ends within a second, progress and notes stay. Needs no body.`,
  body: Type.Object({ reason: Reason }),
} as const;

/** What the response of a bulk decision says for people. */
export const bulkMessage = (action: BulkAction, done: number, asked: number) =>
  `${done} of ${asked} enrollments ${transitions[action].to.toLowerCase()}`;

export const decideEnrollments = {
  ...common,
  operationId: 'decideEnrollments',
  summary: 'Approve, reject or revoke many at once',
  description:
    'The response holds what each id came to, in the order given, and is 200 whatever that is: an id that is unknown (`NOT_FOUND`) or in another state (`INVALID_STATE`, also where an id is named a second time) does not touch the others. All are decided in one transaction: a 503 leaves none decided.',
  body: Type.Object({
    action: OneOf(bulkActions),
    ids: Type.Array(AnyId, { minItems: 1, maxItems: 500 }),
    reason: Reason,
  }),
  response: {
    200: Success(
      Type.Array(
        Type.Object({
          id: Type.String(),
          ok: Type.Boolean(),
          code: Type.Optional(Type.String()),
          error: Type.Optional(Type.String()),
          details: Type.Optional(Type.Unknown()),
        }),
      ),
      bulkMessage('approve', 498, 500),
    ),
    ...errorResponses(400, 401, 403, 415, 422, 503),
  },
} as const;
