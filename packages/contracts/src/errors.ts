/** All error codes, with the statuses that they are used with. */
export const errorStatuses = {
  VALIDATION_ERROR: [400, 422],
  UNSUPPORTED_FORMAT: [400],
  UNAUTHORIZED: [401],
  INVALID_SIGNATURE: [401],
  FORBIDDEN: [403],
  ENROLLMENT_REQUIRED: [403],
  ACCOUNT_SUSPENDED: [403],
  ACCOUNT_INACTIVE: [403],
  NOT_FOUND: [404],
  METHOD_NOT_ALLOWED: [405],
  REQUEST_TIMEOUT: [408],
  CONFLICT: [409],
  INVALID_STATE: [409],
  LAST_ADMIN: [409],
  PRECONDITION_FAILED: [412],
  PAYLOAD_TOO_LARGE: [413],
  URI_TOO_LONG: [414],
  UNSUPPORTED_MEDIA_TYPE: [415],
  RANGE_NOT_SATISFIABLE: [416],
  LOCKED: [423],
  RATE_LIMITED: [429],
  QUOTA_EXCEEDED: [429],
  HEADERS_TOO_LARGE: [431],
  CHECKSUM_MISMATCH: [460],
  INTERNAL_ERROR: [500],
  SERVICE_UNAVAILABLE: [503],
  UPSTREAM_TIMEOUT: [504],
} as const;

export type ErrorCode = keyof typeof errorStatuses;

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorStatuses, value);
