import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { createCircuitBreaker, isOutage } from '@lms/service/circuit-breaker';
import { statusOf, UpstreamTimeout, unavailable } from '@lms/service/problems';
import { retryHeader } from '@lms/service/request-id';
import { collectCounter, collectGauge } from '@lms/telemetry/metrics';
import { traceparentHeader } from '@lms/telemetry/traceparent';
import { tracing } from '@lms/telemetry/tracing';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Pool } from 'undici';
import type { Options } from '../config.ts';

/** The key of the client's request in the headers: reply-from passes on symbols in headers, and nothing else. */
export const contextKey = Symbol('request');

export interface UpstreamRequest {
  path: string;
  method: string;
  headers: IncomingHttpHeaders & { [contextKey]?: Pick<FastifyRequest, 'socket' | 'policy'> };
  body?: Readable | undefined;
}
export interface UpstreamResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** Not a stream if it is short: writing it with the headers takes half the processor time. */
  body: Readable | Buffer;
}
type Callback = (error: Error | null, response?: UpstreamResponse) => void;
export type Upstream = ReturnType<typeof createUpstream>;

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
const badGateway = 'BAD_GATEWAY';

export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}
const codeOf = (error: unknown): string => String(Object(error).code);
const labels = ['upstream'];
const open = { name: 'gateway_circuit_open', help: '1 while the circuit breaker of a service is open', labels };
const failed = { name: 'gateway_upstream_failures_total', help: 'Requests that failed because of a service', labels };

/** The connections to the services. */
export const upstreams = fp(async (app, { config, registry }: Options) => {
  const upstreams = {
    // Webhooks that are sent slowly hold connections for seconds, and transfers for minutes.
    identity: createUpstream('identity', config.IDENTITY_URL, 1_024),
    media: createUpstream('media', config.MEDIA_URL, 1_024),
    // Their lists take up to 1 MiB of memory while a client reads slowly.
    content: createUpstream('content', config.CONTENT_URL, 256),
    enrollment: createUpstream('enrollment', config.ENROLLMENT_URL, 256),
  };
  const all = Object.values(upstreams);
  const samplesOf = (readingOf: (upstream: Upstream) => number) =>
    all.map((upstream) => ({ labels: { upstream: upstream.name }, value: readingOf(upstream) }));
  collectGauge(registry, open, () => samplesOf(({ breaker }) => (breaker.isOpen() ? 1 : 0)));
  collectCounter(registry, failed, () => samplesOf(({ breaker }) => breaker.failureCount()));
  app.decorate('upstreams', upstreams);
  app.addHook('onClose', () => Promise.all(all.map(({ close }) => close())));
});

/**
 * The connections to one service. For @fastify/reply-from, `pool` is its `undici` option: any object with such a `request`.
 * It uses undici's `dispatch`, with which a request ends when its client disconnects, in any phase, or when the circuit breaker
 * opens while it waits for a connection; and a short response takes a fifth less processor time than with a pool's own `request`.
 */
function createUpstream(name: string, url: string, connections: number) {
  const breaker = createCircuitBreaker();
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
      if (!error || !isRepeatable) return callback(error, response);
      send({ ...options, headers: { ...options.headers, [retryHeader]: '1' } }, isTrial, callback);
    });
  }

  function send({ path, method, headers, body }: UpstreamRequest, isTrial: boolean, callback: Callback): void {
    const { socket: client, policy } = headers[contextKey] ?? {};
    const isLong = Boolean(policy?.isUpload || policy?.isTransfer);
    const attributes = { 'http.request.method': method, 'lms.upstream': name };
    const span = tracing()?.startSpan(`${method} ${name}`, { kind: 'client', attributes });
    let respond: ((body: UpstreamResponse['body']) => void) | undefined;
    let stream: Readable | undefined;
    const chunks: Buffer[] = [];
    let onClientClose = () => {};
    const end = (error?: Error) => {
      client?.off('close', onClientClose);
      span?.end(error);
    };
    pool.dispatch(
      {
        path,
        method,
        headers: span ? { ...headers, [traceparentHeader]: span.traceparent } : headers,
        body: body || null,
        headersTimeout: isLong ? uploadHeadersMs : headersMs,
      },
      {
        onRequestStart(controller) {
          onClientClose = () => controller.abort(new ClientDisconnected());
          if (client?.destroyed) return onClientClose();
          client?.on('close', onClientClose);
          // The breaker has opened while this request waited for a connection.
          if (breaker.isOpen() && !isTrial) controller.abort(unavailable());
        },
        onResponseStart(controller, statusCode, received) {
          if (statusCode < 200) return;
          // Not by the service, whose errors are JSON: by a load balancer between it and the gateway.
          if (statusCode >= 500 && !/json/.test(String(received['content-type'])))
            return controller.abort(Object.assign(new Error(`not a response of ${name}`), { code: badGateway }));
          breaker.succeeded();
          respond = (body) => callback(null, { statusCode, headers: received, body });
          if (!isLong && Number(received['content-length']) <= shortBodyBytes) return;
          stream = new Readable({
            read: () => controller.resume(),
            destroy(error, done) {
              if (!this.readableEnded) controller.abort(error ?? new ClientDisconnected());
              done(error);
            },
          });
          respond(stream);
        },
        onResponseData(controller, chunk) {
          if (!stream) chunks.push(chunk);
          else if (!stream.push(chunk)) controller.pause();
        },
        onResponseEnd() {
          end();
          if (stream) stream.push(null);
          else respond?.(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
        },
        onResponseError(_controller, error) {
          end(error);
          if (stream) return void stream.destroy(error);
          // Not the error itself, because the request must not be repeated.
          if (respond)
            return callback(timeouts.includes(codeOf(error)) ? error : new Error('broken off', { cause: error }));
          if (isFailure(error, Boolean(body))) breaker.failed();
          callback(error);
        },
      },
    );
  }

  /** As `request`, for the gateway's own requests. */
  const fetch = (options: UpstreamRequest) =>
    new Promise<UpstreamResponse>((resolve, reject) => {
      request(options, (error, response) => (response ? resolve(response) : reject(error)));
    });

  return { name, url, breaker, pool: Object.assign(pool, { request }), fetch, close: () => pool.destroy() };
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
  if (isOutage(error) || timeouts.includes(code)) return true;
  return !hasBody && (resets.includes(code) || code === badGateway);
}
