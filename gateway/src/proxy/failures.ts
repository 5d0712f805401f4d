import { UpstreamTimeout, unavailable } from '@lms/service/problems';

/** The client left; there is nobody to tell. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

const resets = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
// The service has responded, or was never asked: what it was asked for made it impossible to go on.
const causedByRequest = [
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
];
const codeOf = (error: unknown): string => String(Object(error).code);

/** True when a connection broke before a byte of an answer: a kept one may be closed just as it is used again. */
export const isReset = (error: unknown) => resets.includes(codeOf(error));

/** True when the failure is the service's; the client's own leaving or flooding says nothing of it. */
export const isUpstreamFailure = (error: unknown) =>
  !(error instanceof ClientGone) &&
  typeof Object(error).statusCode !== 'number' &&
  !causedByRequest.includes(codeOf(error));

/** What the client is told. */
export function toProblem(error: unknown, upstream: string): unknown {
  if (!isUpstreamFailure(error)) return error;
  const cause = new Error(`${upstream} could not be reached`, { cause: error });
  return timeouts.includes(codeOf(error)) ? new UpstreamTimeout({ cause }) : unavailable(cause);
}
