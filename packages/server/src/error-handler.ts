import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  BadRequest,
  InternalError,
  MalformedJson,
  PayloadTooLarge,
  type Problem,
  RouteNotFound,
  UnsupportedMediaType,
  unavailable,
} from './problems.ts';
import { explainValidation } from './validation.ts';

/** Tells whether an error means that a dependency is out of reach, so that trying again later makes sense. */
export type IsOutage = (error: unknown) => boolean;

const byFastifyCode: Record<string, new (context: { cause: unknown }) => Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: UnsupportedMediaType,
  FST_ERR_CTP_BODY_TOO_LARGE: PayloadTooLarge,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: BadRequest,
  FST_ERR_CTP_INVALID_JSON_BODY: MalformedJson,
  FST_ERR_BAD_URL: BadRequest,
  FST_ERR_ASYNC_CONSTRAINT: BadRequest,
};

/** Every failure leaves as the same envelope; what a 5xx was about stays in the log. */
export function renderErrors(app: FastifyInstance, isOutage: IsOutage) {
  app.setErrorHandler((error: FastifyError, request, reply) => send(toProblem(error, isOutage), error, request, reply));
  app.setNotFoundHandler((request, reply) => send(new RouteNotFound(), undefined, request, reply));
}

function toProblem(error: FastifyError, isOutage: IsOutage): Problem {
  if (error.validation) return explainValidation(error.validation, error.validationContext ?? 'body');
  const Known = byFastifyCode[error.code];
  if (Known) return new Known({ cause: error });
  if (isProblem(error)) return error;
  return isOutage(error) ? unavailable(error) : new InternalError({ cause: error });
}

// Fastify's own errors carry FST_ codes and texts that are not ours to show.
const isProblem = (error: FastifyError): error is Problem =>
  typeof error.statusCode === 'number' &&
  typeof error.code === 'string' &&
  !error.code.includes('FST_') &&
  error.name === 'FastifyError';

function send(problem: Problem, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const status = problem.statusCode ?? 500;
  if (status >= 500) request.log.error({ err: error ?? problem }, problem.message);
  else request.log.debug({ code: problem.code, details: problem.details }, problem.message);
  if (problem.headers) reply.headers(problem.headers);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const { message, code, details } = problem;
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ success: false, error: message, code, ...(details !== undefined && { details }), requestId: request.id });
}
