import { errorResponses, Success } from '@lms/contracts/envelope';
import { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, OneOf, Timestamp } from '@lms/contracts/text';
import { repeatable, repeatableRule } from '@lms/idempotency/idempotency';
import { Type } from '@sinclair/typebox';
import { CsvFile, csvRules } from '../csv-routes.ts';
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
      description: 'A time in the future; without it the enrollment does not expire',
      examples: ['2099-12-31T23:59:59.999Z'],
    }),
  ),
);

export const userEnrolled = 'User enrolled';

const common = { tags: ['Enrollment review'], security: [{ bearer: [] }] };
const searchDescription =
  "`search` matches the user's names and e-mail, the message, the reasons and the subject's name.";
const filters = { userId: Type.Optional(AnyId), subjectId: Type.Optional(AnyId), search: Search, ...dateFilters };

export const listPendingEnrollments = {
  ...common,
  operationId: 'listPendingEnrollments',
  summary: 'List pending enrollments',
  description: `Oldest first. ${searchDescription}`,
  querystring: PageQuery(sorts, { sort: 'requestedAt', order: 'asc' }, filters),
  response: { 200: Page(AdminEnrollment), ...errorResponses(401, 403, 422, 503) },
} as const;

export const listAllEnrollments = {
  ...common,
  operationId: 'listAllEnrollments',
  summary: 'List all enrollments',
  description: `Enrollments of every status, latest first; filter with \`status\`. ${searchDescription}`,
  querystring: PageQuery(sorts, latestFirst, { status: Type.Optional(EnrollmentStatus), ...filters }),
  response: { 200: Page(AdminEnrollment), ...errorResponses(401, 403, 422, 503) },
} as const;

export const exportEnrollments = {
  ...common,
  operationId: 'exportEnrollments',
  summary: 'Download all enrollments as CSV',
  description: `Oldest first, with the filters of the list. ${searchDescription} ${csvRules}`,
  querystring: Type.Object({ status: Type.Optional(EnrollmentStatus), ...filters }),
  response: { 200: CsvFile, ...errorResponses(401, 403, 422, 503) },
} as const;

export const enrollUser = {
  ...common,
  operationId: 'enrollUser',
  summary: 'Enroll a user without a request',
  description:
    'Creates an APPROVED enrollment with source ADMIN. Returns 409 `CONFLICT` if the user already has an open enrollment or request in the subject, and 404 if the user is unknown or deleted or the subject is unknown or not live.',
  body: Type.Object({ userId: AnyId, subjectId: AnyId, expiresAt: ExpiresAt }),
  response: { 201: Success(AdminEnrollment, userEnrolled), ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503) },
} as const;

const decision = (name: BulkAction) => ({
  ...common,
  ...repeatable,
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
  description: `${describeTransition('approve')} The enrollment expires at \`expiresAt\`, if given. The body is optional. ${repeatableRule}`,
  body: Type.Object({ expiresAt: ExpiresAt, reason: Reason }),
} as const;

export const rejectEnrollment = {
  ...decision('reject'),
  operationId: 'rejectEnrollment',
  summary: 'Reject an enrollment',
  description: `${describeTransition('reject')} The reason is stored as \`decisionReason\`. The body is optional. ${repeatableRule}`,
  body: Type.Object({ reason: Reason }),
} as const;

export const revokeEnrollment = {
  ...decision('revoke'),
  operationId: 'revokeEnrollment',
  summary: 'Revoke an enrollment',
  description: `${describeTransition('revoke')} The reason is stored as \`endReason\`. Access to protected content ends within a second; progress and notes are kept. The body is optional. ${repeatableRule}`,
  body: Type.Object({ reason: Reason }),
} as const;

export const bulkMessage = (action: BulkAction, succeeded: number, total: number) =>
  `${succeeded} of ${total} enrollments ${transitions[action].to.toLowerCase()}`;

export const decideEnrollments = {
  ...common,
  operationId: 'decideEnrollments',
  summary: 'Approve, reject or revoke many enrollments',
  description:
    'Returns 200 with one result per id, in the order of `ids`. An unknown id (`NOT_FOUND`), an enrollment in another status or a repeated id (both `INVALID_STATE`) does not affect the others. All changes are made in one transaction: after a 503 none of them has been made.',
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
