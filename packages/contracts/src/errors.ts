import { type TSchema, Type } from '@sinclair/typebox';
import { Plan, Role } from './passport.ts';
import { Nullable, OneOf, Timestamp } from './text.ts';

export interface ErrorDescription {
  statuses: number[];
  /** The schema of `details`; without one, a response with this code has no details. */
  details?: TSchema;
  cause: string;
  remedy: string;
  /** The message and details of an example. */
  example: { error: string; details?: unknown };
}

const issue = {
  field: Type.String({ description: 'The path of the field, as in `metadata.name`; `body` is the whole body' }),
  message: Type.String({ description: 'The rule that the value violates' }),
  value: Type.Unknown({ description: 'The value that was sent, cut off at 200 characters; null if there was none' }),
};
const FieldIssue = Type.Object(issue);
const Issues = Type.Object({
  ...issue,
  issues: Type.Optional(Type.Array(FieldIssue, { description: 'All problems, at status 422' })),
});
const Roles = Type.Array(Role);
const optional = (schema: TSchema) => Type.Optional(schema);

const missingName = { field: 'name', message: 'is required', value: null };
const minute = '2026-01-31T12:01:00.000Z';

/** All error codes, with the statuses that they are used with, and what they mean: for the reference, the guide and the client. */
export const errors = {
  VALIDATION_ERROR: {
    statuses: [400, 422],
    details: Issues,
    cause: 'At 422 a field violates a rule; at 400 the path, the body or a header is malformed.',
    remedy: 'Show `details.issues` next to the fields of the form. Sending the same request again fails again.',
    example: { error: 'Validation failed', details: { ...missingName, issues: [missingName] } },
  },
  UNSUPPORTED_FORMAT: {
    statuses: [400],
    details: Type.Object({ extension: Type.String(), accepted: Type.Array(Type.String()) }),
    cause:
      'The extension of a video or an import is not in `details.accepted`, or the content of a video does not match it.',
    remedy: 'Convert the file to one of `details.accepted`. Of videos, MP4 with H.264 and AAC plays everywhere.',
    example: {
      error: 'Unsupported video format. Accepted formats: mp4, webm, ogg, mov, avi',
      details: { extension: 'flv', accepted: ['mp4', 'webm', 'ogg', 'mov', 'avi'] },
    },
  },
  UNAUTHORIZED: {
    statuses: [401],
    cause: 'The request has no access token, or one that is expired, malformed or meant for another API.',
    remedy: 'Get a new access token (not an ID token) from the identity provider and repeat the request once.',
    example: { error: 'Authentication required' },
  },
  INVALID_SIGNATURE: {
    statuses: [401],
    cause: 'The signature of a webhook is missing, older than five minutes, or made with another secret.',
    remedy: 'Compare the secret at the provider with `WEBHOOK_SECRETS`, and the clocks of both machines.',
    example: { error: 'Invalid signature' },
  },
  FORBIDDEN: {
    statuses: [403],
    details: Type.Object({ required: Roles, user_roles: Roles }),
    cause: 'The user has none of the roles in `details.required`, or does not teach this subject.',
    remedy: 'Hide the action from users without the role. An administrator assigns roles.',
    example: { error: 'Insufficient permissions', details: { required: ['ADMIN'], user_roles: ['LEARNER'] } },
  },
  ENROLLMENT_REQUIRED: {
    statuses: [403],
    details: Type.Object({ subjectId: Type.String() }),
    cause: 'The learner has no approved enrollment in the subject, or it has ended.',
    remedy: 'Let the user request enrollment: `POST /api/enrollment/request`.',
    example: {
      error: 'An enrollment in the subject is required',
      details: { subjectId: 's5w8r2k6d0p3n7h1v4m9c2xq' },
    },
  },
  ACCOUNT_SUSPENDED: {
    statuses: [403],
    cause: 'An administrator has suspended the account.',
    remedy: 'Show the user whom to contact. Every request with a token of this user fails until it is lifted.',
    example: { error: 'This account is suspended' },
  },
  ACCOUNT_INACTIVE: {
    statuses: [403],
    cause: 'The account is deactivated, deleted or anonymized.',
    remedy: 'Sign the user out.',
    example: { error: 'This account is inactive' },
  },
  NOT_FOUND: {
    statuses: [404],
    details: optional(Type.Object({ role: optional(Role) })),
    cause: 'The resource does not exist, is deleted, or belongs to another user. The message names its kind.',
    remedy: 'Remove the item from the view. Malformed ids are not found, too.',
    example: { error: 'Topic not found' },
  },
  METHOD_NOT_ALLOWED: {
    statuses: [405],
    cause: 'The path exists, but not with this method. The header `Allow` lists the methods.',
    remedy: 'Compare the method with the reference.',
    example: { error: 'Method not allowed' },
  },
  REQUEST_TIMEOUT: {
    statuses: [408],
    cause: 'The body did not arrive in time: 30 seconds for JSON; uploads must average 1 KiB per second.',
    remedy: 'Repeat the request on a better connection.',
    example: { error: 'The request did not arrive in time' },
  },
  CONFLICT: {
    statuses: [409],
    details: Type.Object({ resource: Type.String(), field: Type.String(), value: Type.Unknown() }),
    cause:
      'The value of `details.field` is in use, or such a resource exists: a name, an open enrollment. Or a topic has as many documents as it can have, or a video as many captions. With the field `Idempotency-Key`, the first request with this key is still running; with `Upload-Offset`, `details.value` is the right offset.',
    remedy:
      'Choose another value, open the resource that exists, or remove what is not needed. For `Idempotency-Key`, send the request again later with the same key: with another one, it could have its effect twice.',
    example: {
      error: 'Resource already exists',
      details: { resource: 'EducationLevel', field: 'name', value: 'Primary school' },
    },
  },
  INVALID_STATE: {
    statuses: [409],
    details: Type.Object({ current: optional(Type.String()), allowed: optional(Type.Array(Type.String())) }),
    cause:
      'The resource is in the state `details.current`, which does not allow this; another user may have changed it.',
    remedy: 'Load the resource again and show its state.',
    example: {
      error: 'The enrollment is in a state that does not allow this',
      details: { current: 'APPROVED' },
    },
  },
  LAST_ADMIN: {
    statuses: [409],
    cause: 'The system would be left without an active administrator.',
    remedy: 'Make another user an administrator first.',
    example: { error: 'Cannot remove the last active admin' },
  },
  PRECONDITION_FAILED: {
    statuses: [412],
    cause:
      'The resource has changed since it was read: its ETag is not in `If-Match`, or it is newer than `If-Unmodified-Since`. Or a request of a resumable upload has no `Tus-Resumable: 1.0.0`.',
    remedy:
      'Load the resource again, merge the changes and repeat the request with the new ETag. For uploads, use a client of tus 1.0.0.',
    example: { error: 'The resource has changed' },
  },
  PAYLOAD_TOO_LARGE: {
    statuses: [413],
    details: optional(Type.Object({ maxBytes: Type.Integer() })),
    cause:
      'The body or the file is too large: 256 KiB for JSON, 6 MiB for topics, 16 MiB for a curriculum, and the limits for files.',
    remedy: 'Check the size before sending; `details.maxBytes`, if it is there, is the limit.',
    example: { error: 'The file is too large', details: { maxBytes: 52_428_800 } },
  },
  URI_TOO_LONG: {
    statuses: [414],
    cause: 'The URL is longer than 8 KiB.',
    remedy: 'Use fewer or shorter query parameters.',
    example: { error: 'The URL is longer than 8 KiB' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    statuses: [415],
    cause: 'The `Content-Type` is not the one that the operation takes, or the body is compressed.',
    remedy: 'Send JSON as `application/json`. For forms, let the browser set the header.',
    example: { error: 'Content-Type must be application/json, without a Content-Encoding' },
  },
  RANGE_NOT_SATISFIABLE: {
    statuses: [416],
    cause: 'The range begins behind the end of the file. `Content-Range` has the size.',
    remedy: 'Request the file without `Range`: it may have been replaced by a shorter one.',
    example: { error: 'The range is outside the file' },
  },
  LOCKED: {
    statuses: [423],
    cause: 'Another request is sending bytes of this resumable upload, or it is being finished.',
    remedy: 'Wait for `Retry-After` and read the offset (`HEAD`) before you go on.',
    example: { error: 'Another request is writing this upload' },
  },
  RATE_LIMITED: {
    statuses: [429],
    details: Type.Object({
      scope: OneOf(['general', 'auth', 'upload', 'webhook', 'playback']),
      limit: Type.Integer({
        description: 'Requests a minute; or concurrent uploads, concurrent downloads or unfinished uploads',
      }),
      resetAt: Timestamp(),
    }),
    cause:
      'Too many requests of the kind `details.scope` in a minute, too many uploads or downloads at the same time, or too many unfinished resumable uploads.',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat the request; it had no effect. Finish or end unfinished uploads.',
    example: { error: 'Too many requests', details: { scope: 'general', limit: 100, resetAt: minute } },
  },
  QUOTA_EXCEEDED: {
    statuses: [429],
    details: Type.Object({
      plan: Plan,
      metric: OneOf(['apiCalls', 'uploads']),
      limit: Nullable(Type.Integer()),
      used: Type.Integer(),
      resetsAt: Timestamp(),
    }),
    cause: 'The calls or uploads of the plan are used up for this month.',
    remedy: 'Show the user `details.resetsAt`, or let an administrator change the plan.',
    example: {
      error: 'The monthly quota is used up',
      details: { plan: 'FREE', metric: 'uploads', limit: 10, used: 10, resetsAt: '2026-02-01T00:00:00.000Z' },
    },
  },
  HEADERS_TOO_LARGE: {
    statuses: [431],
    cause: 'The headers of the request are larger than 16 KiB.',
    remedy: 'Remove cookies and other large headers.',
    example: { error: 'The headers are too large' },
  },
  CHECKSUM_MISMATCH: {
    statuses: [460],
    cause: 'The bytes of a request do not match its `Upload-Checksum`; none of them are stored.',
    remedy: 'Send the bytes again from the same offset.',
    example: { error: 'The bytes do not match Upload-Checksum' },
  },
  INTERNAL_ERROR: {
    statuses: [500],
    cause: 'An error in the service. The log has it under `requestId`.',
    remedy: 'Report the `requestId` to the operators.',
    example: { error: 'Internal server error' },
  },
  SERVICE_UNAVAILABLE: {
    statuses: [503],
    details: optional(Type.Object({ missing: optional(Type.Array(Type.String())) })),
    cause: 'A part of the system is down or overloaded. For an export, `details.missing` names the parts.',
    remedy: 'Wait for the seconds in `Retry-After` and repeat the request; a POST only with an `Idempotency-Key`.',
    example: { error: 'Service temporarily unavailable' },
  },
  UPSTREAM_TIMEOUT: {
    statuses: [504],
    cause: 'A service did not respond in ten seconds. The request may have had its effect.',
    remedy: 'Repeat it if it is safe to repeat: a GET, PUT or DELETE, or a POST with an `Idempotency-Key`.',
    example: { error: 'The service did not respond in time' },
  },
} satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof errors;

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errors, value);
