import createError, { type FastifyError } from '@fastify/error';
import type { ErrorCode } from '@lms/contracts/errors';
import type { Role } from '@lms/contracts/passport';

/** An error that becomes a response: a code, a status, a message for humans and details for programs. */
export interface Problem extends FastifyError {
  details?: unknown;
  headers?: Record<string, string>;
}

export interface ProblemContext {
  details?: unknown;
  /** Headers of the response, such as `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * Defines an error class: `const SubjectNotFound = defineProblem('NOT_FOUND', 404, 'Subject not found')`.
 * @param defaultDetails details of errors that are created without any
 */
export function defineProblem(code: ErrorCode, statusCode: number, message: string, defaultDetails?: unknown) {
  const Base = createError(code, message, statusCode);
  const Entry = class extends Base implements Problem {
    declare details?: unknown;
    declare headers?: Record<string, string>;
    // The base class compares error codes only, and several errors share a code.
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.isPrototypeOf.call(Entry.prototype, Object(value));
    }
    constructor({ details = defaultDetails, headers, cause }: ProblemContext = {}) {
      super({ cause });
      if (details !== undefined) this.details = details;
      if (headers !== undefined) this.headers = headers;
    }
  };
  return Entry;
}

/** The status of an error that can become a response, such as one of another service; undefined for any other. */
export function statusOf(error: unknown): number | undefined {
  const { statusCode } = Object(error);
  return typeof statusCode === 'number' ? statusCode : undefined;
}

export interface FieldIssue {
  /** The path of the field, dotted: `metadata.name`, `ids.3`. */
  field: string;
  message: string;
  value?: unknown;
}

const maxValueLength = 200;
/** The maximum number of issues in a response. */
export const maxIssues = 100;

const truncate = (value: unknown): unknown => {
  if (typeof value === 'string') return value.slice(0, maxValueLength).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= maxValueLength ? value : text.slice(0, maxValueLength).toWellFormed();
};

const toDetails = ({ field, message, value }: FieldIssue) => ({ field, message, value: truncate(value) ?? null });

const validationFailed = 'Validation failed';
const Invalid = defineProblem('VALIDATION_ERROR', 422, validationFailed);
const BadRequest = defineProblem('VALIDATION_ERROR', 400, validationFailed);

/** A 422 with the first issue in `details` and all of them in `details.issues`. */
export function invalid(...issues: [FieldIssue, ...FieldIssue[]]) {
  const shown = issues.slice(0, maxIssues).map(toDetails);
  return new Invalid({ details: { ...shown[0], issues: shown } });
}

/** A 400: the part of the request that `field` names is malformed. */
export const badRequest = (issue: FieldIssue, cause?: unknown) => new BadRequest({ details: toDetails(issue), cause });

export const Unauthorized = defineProblem('UNAUTHORIZED', 401, 'Authentication required');
export const InvalidToken = defineProblem('UNAUTHORIZED', 401, 'Invalid or expired token');
export const RouteNotFound = defineProblem('NOT_FOUND', 404, 'Route not found');
export const MethodNotAllowed = defineProblem('METHOD_NOT_ALLOWED', 405, 'Method not allowed');
export const RequestTimeout = defineProblem('REQUEST_TIMEOUT', 408, 'The request did not arrive in time');
export const Conflict = defineProblem('CONFLICT', 409, 'Resource already exists');
export const PreconditionFailed = defineProblem('PRECONDITION_FAILED', 412, 'The resource has changed');
export const PayloadTooLarge = defineProblem('PAYLOAD_TOO_LARGE', 413, 'The body is too large');
export const UriTooLong = defineProblem('URI_TOO_LONG', 414, 'The URL is longer than 8 KiB');
export const UnsupportedMediaType = defineProblem(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'Content-Type must be application/json, without a Content-Encoding',
);
export const HeadersTooLarge = defineProblem('HEADERS_TOO_LARGE', 431, 'The headers are too large');
export const InternalError = defineProblem('INTERNAL_ERROR', 500, 'Internal server error');
const Unavailable = defineProblem('SERVICE_UNAVAILABLE', 503, 'Service temporarily unavailable');
export const UpstreamTimeout = defineProblem('UPSTREAM_TIMEOUT', 504, 'The service did not respond in time');

/** A 503 with `Retry-After`. */
export const unavailable = (cause?: unknown, retryAfterSeconds = 2) =>
  new Unavailable({ cause, headers: { 'retry-after': String(retryAfterSeconds) } });

/** A 409 for a value that is already in use. */
export const conflict = (details: { resource: string; field: string; value: unknown }) => new Conflict({ details });

export interface RoleDetails {
  /** The roles that are allowed. */
  required: readonly Role[];
  /** The roles of the caller. */
  user_roles: readonly Role[];
}

/** A 403 because the caller lacks a role, or may not access this resource. */
export function forbidden(details: RoleDetails, message = 'Insufficient permissions') {
  const Forbidden = defineProblem('FORBIDDEN', 403, message);
  return new Forbidden({ details });
}

/** A 404 that names the kind of resource. */
export function notFound(resource: string) {
  const NotFound = defineProblem('NOT_FOUND', 404, `${resource} not found`);
  return new NotFound();
}
