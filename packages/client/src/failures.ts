import type { components } from './interface.ts';

type Responses = components['responses'];

/** The body of an error response. Its `code` decides on the type of its `details`. */
export type Failure = { [R in keyof Responses]: Responses[R]['content']['application/json'] }[keyof Responses];
export type ErrorCode = Failure['code'];

/** What every call and upload resolves to: `data` or `error`, and the response with its status and headers. */
export interface Result<T> {
  data?: T;
  error?: Failure;
  response: Response;
}

/** Thrown by `unwrap` and `each`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The body of the response: `if (error.failure.code === 'CONFLICT') error.failure.details.field` */
  readonly failure: Failure;
  /** How long to wait before the next request, if the server says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, response: Response) {
    super(`${failure.error} (${failure.code}, request ${failure.requestId})`);
    this.failure = failure;
    this.status = response.status;
    this.retryAfterSeconds = retryAfterSeconds(response);
  }

  get code(): ErrorCode {
    return this.failure.code;
  }
}

/**
 * Returns the `data` of a response: `const user = await unwrap(client.GET('/api/auth/profile'))`.
 * @throws ApiError if the response is an error
 */
export async function unwrap<T>(call: Promise<Result<{ data: T }>>): Promise<T> {
  const { data, error, response } = await call;
  if (error) throw new ApiError(error, response);
  if (!data) throw new TypeError(`${response.status} has no data`);
  return data.data;
}

/** The `Retry-After` of a response. The API sends seconds, not a date. */
export function retryAfterSeconds({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** An error response of something in between, such as a proxy, in the form of the API's own errors. */
export function toFailure(response: Response): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  if (status < 400 || headers.get('content-type')?.startsWith('application/json')) return response;
  const failure: Failure = {
    success: false,
    error: statusText || `The response has the status ${status}`,
    code: status >= 502 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR',
    requestId: headers.get('x-request-id') ?? '',
  };
  // Unread, it would keep the connection busy.
  response.body?.cancel().catch(() => undefined);
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name);
  return Response.json(failure, { status, headers });
}

/** Reads the body of a response. Its type is not validated, as in openapi-fetch. */
export async function toResult<T>(response: Response): Promise<Result<T>> {
  const body: unknown = await response.json();
  return response.ok ? { data: body as T, response } : { error: body as Failure, response };
}
