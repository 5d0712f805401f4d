import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const requestIdHeader = 'x-request-id';
/** The gateway sends it with the repetition of a request whose connection was reset. Clients cannot send it. */
export const retryHeader = 'x-lms-retry';
const requestIdPattern = /^[\w-]{8,64}$/;

/** The request id that the client sent if it is valid, otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers[requestIdHeader];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
}
