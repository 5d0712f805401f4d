import type { Readable } from 'node:stream';
import { isErrorCode } from '@lms/contracts/errors';
import { passportHeader, serviceTokenHeader } from '@lms/contracts/passport';
import { traceparentHeader } from '@lms/telemetry/traceparent';
import { withSpan } from '@lms/telemetry/tracing';
import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'undici';
import { createCircuitBreaker, isOutage } from './circuit-breaker.ts';
import { defineProblem, statusOf, unavailable } from './problems.ts';
import { requestIdHeader } from './request-id.ts';

const defaultTimeoutMs = 2_000;
const transferIdleMs = 60_000;

/** What an internal request passes on from the request that caused it. */
export interface CallContext {
  passport?: string;
  /** The service's own authority instead of a passport; see `createServiceTokens`. */
  serviceToken?: string;
  requestId: string;
}

export function callContextOf(request: FastifyRequest): CallContext {
  const { [passportHeader]: passport, [serviceTokenHeader]: serviceToken } = request.headers;
  return {
    requestId: request.id,
    ...(typeof passport === 'string' && { passport }),
    ...(typeof serviceToken === 'string' && { serviceToken }),
  };
}

const headersOf = ({ passport, serviceToken, requestId }: CallContext) => ({
  [requestIdHeader]: requestId,
  ...(passport && { [passportHeader]: passport }),
  ...(serviceToken && { [serviceTokenHeader]: serviceToken }),
});

export interface InternalRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
}

export interface TransferRequest {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: Readable;
  signal?: AbortSignal;
}

/** A service token is not the user's: if it is refused, the settings are wrong, which the log says. */
function checkServiceToken(status: number, { serviceToken }: CallContext, request: string) {
  if (status === 401 && serviceToken)
    throw unavailable(new Error(`${request}: the service token was refused; do the SERVICE_SECRETs differ?`));
}

/** The 4xx error of the other service, with its code, message and details; undefined if the body is not the error envelope. */
function toClientError(status: number, body: unknown, headers: Record<string, string> = {}) {
  const { code, error, details } = Object(body);
  if (status < 400 || status > 499 || !isErrorCode(code) || typeof error !== 'string') return undefined;
  const ClientError = defineProblem(code, status, error);
  return new ClientError({ details, headers });
}

// Compiled once for each schema: interpreting it takes longer than the rest of the response.
const validators = new WeakMap<TSchema, TypeCheck<TSchema>>();
function validatorOf<T extends TSchema>(schema: T): TypeCheck<TSchema> {
  const existing = validators.get(schema);
  if (existing) return existing;
  const validator = TypeCompiler.Compile<TSchema>(schema);
  validators.set(schema, validator);
  return validator;
}
const matches = <T extends TSchema>(schema: T, data: unknown): data is Static<T> => validatorOf(schema).Check(data);

// Loaded with the first request: undici is a tenth of what a service loads at its start, and some never send one.
async function createPool(origin: string, maxResponseSize: number): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(origin, { connect: { timeout: 1_000 }, keepAliveTimeout: 4_000, connections: 64, maxResponseSize });
}

export interface ServiceClientOptions {
  /** The deadline of a request; 2 seconds by default. */
  timeoutMs?: number | undefined;
  /** The longest body of a response; unlimited by default. */
  maxResponseBytes?: number;
}

/** Creates a client for the internal routes of one service. `close()` closes its connections. */
export function createServiceClient(baseUrl: string, options: ServiceClientOptions = {}) {
  const { timeoutMs = defaultTimeoutMs, maxResponseBytes = -1 } = options;
  const { host, origin } = new URL(baseUrl);
  const breaker = createCircuitBreaker();
  let pool: Promise<Pool> | undefined;
  const openPool = () => {
    pool ??= createPool(origin, maxResponseBytes);
    return pool;
  };

  /**
   * @returns the `data` of the response, validated against `schema`
   * @throws the 4xx error of the other service, or a 503 if it is unreachable, slow or broken
   */
  async function request<T extends TSchema>(
    schema: T,
    context: CallContext,
    { method = 'GET', path, body }: InternalRequest,
  ): Promise<Static<T>> {
    const { status, json } = await fetchJson(method, path, context, body);
    checkServiceToken(status, context, `${method} ${path}`);
    const clientError = toClientError(status, json);
    if (clientError) throw clientError;
    const data: unknown = Object(json).data;
    if (status >= 300 || !matches(schema, data))
      throw unavailable(new Error(`${method} ${path} returned ${status} with an unexpected body`));
    return data;
  }

  async function fetchJson(method: string, path: string, context: CallContext, body: unknown) {
    if (!breaker.admits()) throw unavailable(new Error(`${host} has not responded to recent requests`));
    const attributes = { 'http.request.method': method, 'server.address': host };
    try {
      const response = await withSpan(`request ${host}`, { kind: 'client', attributes }, (span) =>
        sendRequest(method, path, context, body, span?.traceparent),
      );
      breaker.succeeded();
      return response;
    } catch (cause) {
      // Anything else, such as a response that is too long, depends on the request.
      if (isOutage(cause) || Object(cause).name === 'AbortError') breaker.failed();
      throw unavailable(cause);
    }
  }

  async function sendRequest(
    method: string,
    path: string,
    callContext: CallContext,
    body: unknown,
    traceparent: string | undefined,
  ) {
    const connections = await openPool();
    // Unlike that of AbortSignal.timeout, this timer ends with the request.
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    try {
      const response = await connections.request({
        method,
        path,
        signal: controller.signal,
        headers: {
          ...headersOf(callContext),
          ...(traceparent && { [traceparentHeader]: traceparent }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, json: await response.body.json() };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends or receives bytes. Instead of a deadline for the whole, a connection on which nothing happens times out.
   * The body of the response must be read or destroyed.
   * @throws the 4xx error of the other service, or a 503
   */
  async function transfer(context: CallContext, { method = 'GET', path, headers, body, signal }: TransferRequest) {
    // Its errors belong to the request, which may begin after the body has failed.
    body?.on('error', () => undefined);
    const connections = await openPool();
    const response = await connections
      .request({
        method,
        path,
        headers: { ...headersOf(context), ...headers },
        headersTimeout: transferIdleMs,
        bodyTimeout: transferIdleMs,
        ...(body && { body }),
        ...(signal && { signal }),
      })
      .catch((cause: unknown) => {
        // An error of the body itself, such as a limit on its size.
        throw statusOf(cause) === undefined ? unavailable(cause) : cause;
      });
    if (response.statusCode < 300 || response.statusCode === 304) return response;
    const json = await response.body.json().catch((cause: unknown) => {
      throw unavailable(cause);
    });
    checkServiceToken(response.statusCode, context, `${method} ${path}`);
    const passedOn = ['content-range', 'retry-after'].flatMap((name) => {
      const value = response.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    throw (
      toClientError(response.statusCode, json, Object.fromEntries(passedOn)) ??
      unavailable(new Error(`${method} ${path} returned ${response.statusCode}`))
    );
  }

  return { request, transfer, close: async () => (await pool)?.close() };
}
export type ServiceClient = ReturnType<typeof createServiceClient>;
