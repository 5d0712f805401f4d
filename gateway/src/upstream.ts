import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { statusOf, UpstreamTimeout, unavailable } from '@lms/service/problems';
import { retryHeader } from '@lms/service/request-id';
import { traceparentHeader } from '@lms/telemetry/traceparent';
import { tracing } from '@lms/telemetry/tracing';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'undici';

/** The key of the client's request in the headers: reply-from passes on symbols in headers, and nothing else. */
export const contextKey = Symbol('request');

export interface UpstreamRequest {
  path: string;
  method: string;
  headers: IncomingHttpHeaders & { [contextKey]?: Pick<FastifyRequest, 'socket' | 'policy'> };
  body?: Readable | string | undefined;
}
export interface UpstreamResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** Not a stream if it is short: writing it with the headers takes half the processor time. */
  body: Readable | Buffer;
}
export interface UpstreamOptions {
  name: string;
  url: string;
  connections?: number;
  /** How long a client may read nothing of its response while all connections are in use. */
  unreadMs?: number;
}
type Callback = (error: Error | null, response?: UpstreamResponse) => void;

const connectMs = 1_000;
const headersMs = 10_000;
// After the last byte of an upload, media completes the object and calls content.
const uploadHeadersMs = 60_000;
const idleMs = 30_000;
const keepAliveMs = 4_000;
const shortBodyBytes = 64 * 1_024;
const idempotent = ['GET', 'HEAD', 'PUT', 'DELETE'];
const resets = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const badGateway = { code: 'BAD_GATEWAY' };
const outages = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

const codeOf = (error: unknown): string => String(Object(error).code);

/**
 * The connections to one service. For @fastify/reply-from this is its `undici` option: any object with such a `request`.
 * It uses undici's `dispatch`, because three things are not possible with a pool's `request`: a request is aborted when
 * its client disconnects in any phase, it is retried once if its connection was reset before the first byte, and requests
 * that wait for a connection fail when the circuit breaker opens.
 */
export function createUpstream({ name, url, connections = 128, unreadMs = idleMs }: UpstreamOptions) {
  const breaker = createBreaker();
  /** The responses that their clients are not reading, and since when; the one unread for longest is the first. */
  const unread = new Map<Readable, number>();
  const pool = new Pool(new URL(url).origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectMs },
    keepAliveTimeout: keepAliveMs,
    bodyTimeout: idleMs,
  });

  function request(options: UpstreamRequest, callback: Callback): void {
    if (!breaker.admits()) return void callback(unavailable());
    const [longest] = unread;
    if (longest && performance.now() - longest[1] > unreadMs && pool.stats.running >= connections)
      longest[0].destroy(new ClientDisconnected());
    const isTrial = breaker.isOpen();
    send(options, isTrial, (error, response) => {
      const isRepeatable = !options.body && idempotent.includes(options.method) && resets.includes(codeOf(error));
      if (!error || !isRepeatable) return callback(error, response);
      send({ ...options, headers: { ...options.headers, [retryHeader]: '1' } }, isTrial, callback);
    });
  }

  /** As `request`, for the gateway's own requests. */
  const fetch = (options: UpstreamRequest) =>
    new Promise<UpstreamResponse>((resolve, reject) => {
      request(options, (error, response) => (response ? resolve(response) : reject(error)));
    });

  function send({ path, method, headers, body }: UpstreamRequest, isTrial: boolean, callback: Callback): void {
    const { socket: client, policy } = headers[contextKey] ?? {};
    const isUpload = Boolean(policy?.isUpload || policy?.isTransfer);
    const span = tracing()?.startSpan(`${method} ${name}`, {
      kind: 'client',
      attributes: { 'http.request.method': method, 'lms.upstream': name },
    });
    let respond: ((body: UpstreamResponse['body']) => void) | undefined;
    let stream: Readable | undefined;
    const chunks: Buffer[] = [];
    let onClientClose: (() => void) | undefined;
    const end = (error?: Error) => {
      if (onClientClose) client?.off('close', onClientClose);
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
          onClientClose = () => controller.abort(new ClientDisconnected());
          if (client?.destroyed) return onClientClose();
          client?.on('close', onClientClose);
          // The breaker has opened while this request waited for a connection.
          if (breaker.isOpen() && !isTrial) controller.abort(unavailable());
        },
        onResponseStart(controller, statusCode, responseHeaders) {
          if (statusCode < 200) return;
          // Not by the service, whose errors are JSON: by a load balancer between it and the gateway.
          if (statusCode >= 500 && !/json/.test(String(responseHeaders['content-type'])))
            return controller.abort(Object.assign(new Error(`not a response of ${name}: ${statusCode}`), badGateway));
          breaker.succeeded();
          respond = (body) => callback(null, { statusCode, headers: responseHeaders, body });
          if (!isUpload && Number(responseHeaders['content-length']) <= shortBodyBytes) return;
          stream = new Readable({
            read() {
              unread.delete(this);
              controller.resume();
            },
            destroy(error, done) {
              unread.delete(this);
              if (!this.readableEnded) controller.abort(error ?? new ClientDisconnected());
              done(error);
            },
          });
          respond(stream);
        },
        onResponseData(controller, chunk) {
          if (!stream) chunks.push(chunk);
          else if (!stream.push(chunk)) {
            controller.pause();
            unread.set(stream, performance.now());
          }
        },
        onResponseEnd() {
          end();
          if (stream) stream.push(null);
          else respond?.(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
        },
        onResponseError(_controller, error) {
          end(error);
          if (stream) return void stream.destroy(error);
          // Not the error itself, because the request must not be retried.
          if (respond)
            return callback(timeouts.includes(codeOf(error)) ? error : new Error('broken off', { cause: error }));
          if (isFailure(error, Boolean(body))) breaker.failed();
          callback(error);
        },
      },
    );
  }

  return { name, url, breaker, pool: Object.assign(pool, { request }), fetch, close: () => pool.destroy() };
}
export type Upstream = ReturnType<typeof createUpstream>;

export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}

/** The error response for a request that failed. */
export function toProblem(error: unknown, upstream: string): unknown {
  if (statusOf(error) !== undefined) return error;
  const cause = new Error(`${upstream} could not be reached`, { cause: error });
  return timeouts.includes(codeOf(error)) ? new UpstreamTimeout({ cause }) : unavailable(cause);
}

/**
 * A service has failed if it cannot be connected to, does not respond in time, or a load balancer responds instead or the
 * connection is closed to a request without a body. Anything else may be caused by the client: it disconnects, or its body is
 * refused early.
 */
function isFailure(error: unknown, hasBody: boolean): boolean {
  const code = codeOf(error);
  return (
    outages.includes(code) ||
    timeouts.includes(code) ||
    (!hasBody && (resets.includes(code) || code === badGateway.code))
  );
}

const failuresToOpen = 5;
const pauseMs = 1_000;

/**
 * Opens after five failures in a row, then admits one trial request a second until one succeeds. It does not wait for the end of
 * a trial, which may be a long upload.
 */
function createBreaker() {
  let [failures, allFailures, openUntil] = [0, 0, 0];
  const pause = () => {
    openUntil = performance.now() + pauseMs;
  };
  return {
    admits(): boolean {
      if (failures < failuresToOpen) return true;
      if (performance.now() < openUntil) return false;
      pause();
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      [failures, allFailures] = [failures + 1, allFailures + 1];
      pause();
    },
    isOpen: () => failures >= failuresToOpen,
    failureCount: () => allFailures,
  };
}
