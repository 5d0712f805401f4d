import { isErrorCode } from '@lms/contracts/errors';
import { passportHeader } from '@lms/contracts/passport';
import { traceparentHeader } from '@lms/telemetry/traceparent';
import { withSpan } from '@lms/telemetry/tracing';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyRequest } from 'fastify';
import { Agent, request as send } from 'undici';
import { defineProblem, unavailable } from './problems.ts';
import { requestIdHeader } from './request-id.ts';

const deadlineMs = 2_000;

/** On whose behalf a neighbour is asked: the caller's passport and the request's id travel on. */
export interface CallContext {
  passport?: string;
  requestId: string;
}

export function callContextOf(request: FastifyRequest): CallContext {
  const passport = request.headers[passportHeader];
  return { requestId: request.id, ...(typeof passport === 'string' && { passport }) };
}

export interface InternalRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
}

/** The neighbour's own refusal (a 4xx), with its code, text and details; undefined for one that is none of ours. */
function toClientError(status: number, body: unknown) {
  const { code, error, details } = Object(body);
  if (status < 400 || status > 499 || !isErrorCode(code) || typeof error !== 'string') return undefined;
  const Refusal = defineProblem(code, status, error);
  return new Refusal({ details });
}

/** Asks one neighbour's internal routes. Keeps its connections; `close()` ends them. */
export function createServiceClient(baseUrl: string) {
  const { host } = new URL(baseUrl);
  const dispatcher = new Agent({ connect: { timeout: 1_000 }, keepAliveTimeout: 4_000, connections: 64 });

  /**
   * @returns the `data` of the answer, checked against `answer`
   * @throws the neighbour's own 4xx problem, or a 503 when it is out of reach, slow or broken
   */
  async function request<T extends TSchema>(
    answer: T,
    context: CallContext,
    { method = 'GET', path, body }: InternalRequest,
  ): Promise<Static<T>> {
    const { status, json } = await fetchJson(method, path, context, body);
    const refused = toClientError(status, json);
    if (refused) throw refused;
    const data: unknown = Object(json).data;
    if (status >= 300 || !Value.Check(answer, data))
      throw unavailable(new Error(`${method} ${path} answered ${status} with an unexpected body`));
    return data;
  }

  async function fetchJson(method: string, path: string, behalf: CallContext, body: unknown) {
    const attributes = { 'http.request.method': method, 'server.address': host };
    try {
      return await withSpan(`ask ${host}`, { kind: 'client', attributes }, (span) =>
        sendRequest(method, path, behalf, body, span?.traceparent),
      );
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  async function sendRequest(
    method: string,
    path: string,
    { passport, requestId }: CallContext,
    body: unknown,
    traceparent: string | undefined,
  ) {
    const response = await send(new URL(path, baseUrl), {
      method,
      dispatcher,
      signal: AbortSignal.timeout(deadlineMs),
      headers: {
        [requestIdHeader]: requestId,
        ...(passport && { [passportHeader]: passport }),
        ...(traceparent && { [traceparentHeader]: traceparent }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, json: await response.body.json() };
  }

  return { request: request, close: () => dispatcher.close() };
}
export type ServiceClient = ReturnType<typeof createServiceClient>;
