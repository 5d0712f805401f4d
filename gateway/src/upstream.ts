import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { UpstreamTimeout, unavailable } from '@lms/service/problems';
import { traceparentHeader } from '@lms/telemetry/traceparent';
import { tracing } from '@lms/telemetry/tracing';
import { Pool } from 'undici';

/** What the gateway knows of a request beyond what HTTP says; it travels with the headers, under a symbol. */
export const contextKey = Symbol('request context');
export interface RequestContext {
  /** The response that the client waits for; without one the request is the gateway's own. */
  response?: ServerResponse;
  isUpload: boolean;
}

export interface UpstreamRequest {
  path: string;
  method: string;
  headers: IncomingHttpHeaders & { [contextKey]?: RequestContext };
  body?: Readable | string | undefined;
}
export interface UpstreamResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** A short body is read whole, which costs half as much as a stream. */
  body: Readable | Buffer;
}
type Callback = (error: Error | null, response?: UpstreamResponse) => void;

const connectMs = 1_000;
const headersMs = 10_000;
// After the last byte of a long upload its service has yet to close the object and to ask the topic's owner.
const uploadHeadersMs = 60_000;
const idleMs = 30_000;
const keepAliveMs = 4_000;
const shortBodyBytes = 64 * 1_024;
const idempotent = ['GET', 'HEAD', 'PUT', 'DELETE'];
const resets = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const outages = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

const codeOf = (error: unknown): string => String(Object(error).code);

/**
 * The connections to one service. For @fastify/reply-from this is its `undici` option: any object with such a `request`.
 * It is made of undici's `dispatch` because three promises cannot be kept with a pool's own `request`: the request ends
 * with its client in every phase, it is sent again once if its connection was reset before the first byte, and requests
 * that wait for a connection end when the circuit breaker opens.
 */
export function createUpstream({ name, url, connections }: { name: string; url: string; connections: number }) {
  const breaker = createBreaker();
  const pool = new Pool(new URL(url).origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectMs },
    keepAliveTimeout: keepAliveMs,
    bodyTimeout: idleMs,
  });

  function request(options: UpstreamRequest, callback: Callback): void {
    if (!breaker.admits()) return void callback(unavailable());
    const isTrial = breaker.isOpen();
    send(options, isTrial, (error, response) => {
      const isRepeatable = !options.body && idempotent.includes(options.method) && resets.includes(codeOf(error));
      if (error && isRepeatable) send(options, isTrial, callback);
      else callback(error, response);
    });
  }

  /** As `request`, for the gateway's own requests. */
  const fetch = (options: UpstreamRequest) =>
    new Promise<UpstreamResponse>((resolve, reject) => {
      request(options, (error, response) => (response ? resolve(response) : reject(error)));
    });

  function send({ path, method, headers, body }: UpstreamRequest, isTrial: boolean, callback: Callback): void {
    const { response: client, isUpload } = headers[contextKey] ?? { isUpload: false };
    const span = traceRequest(name, method);
    let started: { respond: (body: Readable | Buffer) => void; short?: Buffer[]; stream?: Readable } | undefined;
    let leave: (() => void) | undefined;
    const end = (error?: Error) => {
      if (leave) client?.off('close', leave);
      span?.end(error);
    };
    pool.dispatch(
      {
        path,
        method,
        headers: span ? { ...headers, [traceparentHeader]: span.traceparent } : headers,
        body: body || null,
        headersTimeout: isUpload ? uploadHeadersMs : headersMs,
      },
      {
        onRequestStart(controller) {
          leave = () => controller.abort(new ClientGone());
          if (client?.destroyed) return leave();
          client?.on('close', leave);
          // It has waited for a connection while others found out that the service does not respond.
          if (breaker.isOpen() && !isTrial) controller.abort(unavailable());
        },
        onResponseStart(controller, statusCode, responseHeaders) {
          if (statusCode < 200) return;
          breaker.succeeded();
          const respond = (body: Readable | Buffer) => callback(null, { statusCode, headers: responseHeaders, body });
          if (!isUpload && Number(responseHeaders['content-length']) <= shortBodyBytes) {
            started = { respond, short: [] };
            return;
          }
          const stream = new Readable({
            read: () => controller.resume(),
            destroy(error, done) {
              if (!this.readableEnded) controller.abort(error ?? new ClientGone());
              done(error);
            },
          });
          started = { respond, stream };
          respond(stream);
        },
        onResponseData(controller, chunk) {
          started?.short?.push(chunk);
          if (started?.stream?.push(chunk) === false) controller.pause();
        },
        onResponseEnd() {
          end();
          started?.stream?.push(null);
          if (started?.short) started.respond(Buffer.concat(started.short));
        },
        onResponseError(_controller, error) {
          end(error);
          if (started?.stream) return void started.stream.destroy(error);
          // Not the error itself: the request must not be sent again.
          if (started)
            return callback(timeouts.includes(codeOf(error)) ? error : new Error('broken off', { cause: error }));
          if (isFailure(error, Boolean(body))) breaker.failed();
          else breaker.abandoned();
          callback(error);
        },
      },
    );
  }

  return { name, url, breaker, pool: Object.assign(pool, { request }), fetch, close: () => pool.destroy() };
}
export type Upstream = ReturnType<typeof createUpstream>;

/** The client left before its response was complete; there is no one to respond to. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** The error response for a request that failed. */
export function toProblem(error: unknown, upstream: string): unknown {
  if (typeof Object(error).statusCode === 'number') return error;
  const cause = new Error(`${upstream} could not be reached`, { cause: error });
  return timeouts.includes(codeOf(error)) ? new UpstreamTimeout({ cause }) : unavailable(cause);
}

/**
 * Only a service that cannot be connected to, does not respond in time, or closes the connection of a request without a
 * body has failed. Anything else may be the client's doing: it leaves, or its body is refused halfway.
 */
function isFailure(error: unknown, hasBody: boolean): boolean {
  const code = codeOf(error);
  return outages.includes(code) || timeouts.includes(code) || (!hasBody && resets.includes(code));
}

const traceRequest = (upstream: string, method: string) =>
  tracing()?.startSpan(`${method} ${upstream}`, {
    kind: 'client',
    attributes: { 'http.request.method': method, 'lms.upstream': upstream },
  });

const failuresToOpen = 5;
const pauseMs = 1_000;

/** After five failures in a row a service is left alone for a second; then one request at a time tries whether it is back. */
function createBreaker() {
  let [failures, allFailures, openUntil, isTrying] = [0, 0, 0, false];
  return {
    /** False while a request would only wait for a failure. */
    admits(): boolean {
      if (failures < failuresToOpen) return true;
      if (isTrying || performance.now() < openUntil) return false;
      isTrying = true;
      return true;
    },
    succeeded() {
      [failures, isTrying] = [0, false];
    },
    failed() {
      [failures, allFailures, isTrying] = [failures + 1, allFailures + 1, false];
      openUntil = performance.now() + pauseMs;
    },
    /** The request ended for reasons that say nothing of the service. */
    abandoned() {
      isTrying = false;
    },
    isOpen: () => failures >= failuresToOpen,
    /** Since the start of this process. */
    failureCount: () => allFailures,
  };
}
