import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  badRequest,
  InternalError,
  PayloadTooLarge,
  type Problem,
  RouteNotFound,
  UnsupportedMediaType,
  UriTooLong,
  unavailable,
} from './problems.ts';
import { requestIdHeader } from './request-id.ts';
import { isUrlTooLong } from './url-length.ts';
import { toValidationProblem } from './validation.ts';

/** Returns true if an error means that a dependency is unavailable, so that the client should retry later. */
export type IsOutage = (error: unknown) => boolean;

const unreadableBody = (message: string) => (cause: unknown) => badRequest({ field: 'body', message }, cause);
const abortedBody = unreadableBody('was aborted');
const byFastifyCode = new Map<string, (cause: unknown) => Problem>([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', (cause) => new UnsupportedMediaType({ cause })],
  ['FST_ERR_CTP_BODY_TOO_LARGE', (cause) => new PayloadTooLarge({ cause })],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', unreadableBody('must match Content-Length')],
  ['FST_ERR_BAD_URL', (cause) => new RouteNotFound({ cause })],
  ['FST_ERR_MAX_PARAM_LENGTH', (cause) => new UriTooLong({ cause })],
]);

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that this server responded with. */
    errorCode: string | undefined;
  }
}

/** Renders all errors as the error envelope. The cause of a 5xx is only logged; the code is in the line of the request. */
export function setErrorHandlers(app: FastifyInstance, isOutage: IsOutage) {
  app.decorateRequest('errorCode', undefined);
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = isAborted(request) ? abortedBody(error) : toProblem(error, isOutage);
    return send(problem, error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => send(new RouteNotFound(), undefined, request, reply));
}

/** Handles errors that Fastify raises before it looks for a route. */
export function handleFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const problem = isUrlTooLong(request.raw.url) ? new UriTooLong({ cause: error }) : toProblem(error, () => false);
  send(problem, error, request, reply);
}

// An incomplete body is the client's error, whatever error the socket reports.
const isAborted = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete;

function toProblem(error: unknown, isOutage: IsOutage): Problem {
  const { validation, validationContext, code }: Partial<FastifyError> = Object(error);
  if (validation) return toValidationProblem(validation, validationContext ?? 'body');
  const known = code === undefined ? undefined : byFastifyCode.get(code);
  if (known) return known(error);
  if (isProblem(error)) return error;
  return isOutage(error) ? unavailable(error) : new InternalError({ cause: error });
}

/** True for errors of `defineProblem`. Fastify's own errors have FST_ codes, and their messages are not meant for clients. */
export const isProblem = (error: unknown): error is Problem => {
  const { statusCode, code, name } = Object(error);
  return (
    typeof statusCode === 'number' && typeof code === 'string' && !code.includes('FST_') && name === 'FastifyError'
  );
};

function send(problem: Problem, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const status = problem.statusCode ?? 500;
  if (status >= 500) request.log.error({ err: error ?? problem }, problem.message);
  return sendProblem(reply, problem);
}

/** The fields of an error response. A plain object avoids the cost of creating an Error. */
export type ProblemFields = Pick<Problem, 'statusCode' | 'code' | 'message' | 'details' | 'headers'>;

/** Sends the error envelope. */
export function sendProblem(reply: FastifyReply, problem: ProblemFields) {
  const { statusCode = 500, headers } = problem;
  const { id } = reply.request;
  reply.request.errorCode = problem.code;
  if (headers) reply.headers(headers);
  if (statusCode === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(statusCode)
    .header(requestIdHeader, id)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorEnvelope(problem, id));
}

export const errorEnvelope = (
  { message, code, details }: Pick<Problem, 'message' | 'code' | 'details'>,
  requestId: string,
) => ({
  success: false,
  error: message,
  code,
  ...(details !== undefined && { details }),
  requestId,
});
