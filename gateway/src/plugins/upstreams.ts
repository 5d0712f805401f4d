import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
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

// Transfers, and clients that read slowly, hold connections for minutes.
const connections = 1_024;
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
    identity: createUpstream('identity', config.IDENTITY_URL),
    content: createUpstream('content', config.CONTENT_URL),
    media: createUpstream('media', config.MEDIA_URL),
    enrollment: createUpstream('enrollment', config.ENROLLMENT_URL),
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
 * It adds to undici's pool that a request is aborted when its client disconnects, in any phase; that it is repeated once if
 * its connection was reset before the first byte; and a circuit breaker.
 */
function createUpstream(name: string, url: string) {
  const breaker = createCircuitBreaker();
  const pool = new Pool(new URL(url).origin, {
    connections,
    pipelining: 1,
    connect: { timeout: connectMs },
    keepAliveTimeout: keepAliveMs,
    bodyTimeout: idleMs,
  });
  const sendByPool = pool.request.bind(pool);

  async function fetch(options: UpstreamRequest): Promise<UpstreamResponse> {
    if (!breaker.admits()) throw unavailable();
    try {
      return await send(options);
    } catch (error) {
      const isRepeatable = !options.body && idempotent.includes(options.method) && resets.includes(codeOf(error));
      if (!isRepeatable) throw error;
      return send({ ...options, headers: { ...options.headers, [retryHeader]: '1' } });
    }
  }

  async function send({ path, method, headers, body: sent }: UpstreamRequest): Promise<UpstreamResponse> {
    const { socket: client, policy } = headers[contextKey] ?? {};
    const isLong = Boolean(policy?.isUpload || policy?.isTransfer);
    const attributes = { 'http.request.method': method, 'lms.upstream': name };
    const span = tracing()?.startSpan(`${method} ${name}`, { kind: 'client', attributes });
    const controller = new AbortController();
    const onClientClose = () => controller.abort(new ClientDisconnected());
    client?.on('close', onClientClose);
    if (client?.destroyed) onClientClose();
    // undici's own timeout begins when the request has been sent, which needs a free connection.
    const timer = sent ? undefined : setTimeout(() => controller.abort(new UpstreamTimeout()), headersMs);
    const end = (error?: unknown) => {
      client?.off('close', onClientClose);
      span?.end(error);
    };
    try {
      const response = await sendByPool({
        path,
        method,
        headers: span ? { ...headers, [traceparentHeader]: span.traceparent } : headers,
        body: sent || null,
        headersTimeout: isLong ? uploadHeadersMs : headersMs,
        signal: controller.signal,
      }).finally(() => clearTimeout(timer));
      const { statusCode, headers: received, body } = response;
      // Not by the service, whose errors are JSON: by a load balancer between it and the gateway.
      if (statusCode >= 500 && !/json/.test(String(received['content-type']))) {
        body.on('error', () => undefined).destroy();
        throw Object.assign(new Error(`not a response of ${name}: ${statusCode}`), { code: badGateway });
      }
      breaker.succeeded();
      if (isLong || !(Number(received['content-length']) <= shortBodyBytes)) {
        body.once('close', () => end(body.errored ?? undefined));
        return { statusCode, headers: received, body };
      }
      // Not the error itself, because the request must not be repeated.
      const bytes = await body.arrayBuffer().catch((cause: unknown) => {
        throw timeouts.includes(codeOf(cause)) ? cause : new Error('broken off', { cause });
      });
      end();
      return { statusCode, headers: received, body: Buffer.from(bytes) };
    } catch (error) {
      end(error);
      if (isFailure(error, Boolean(sent))) breaker.failed();
      throw error;
    }
  }

  const request = (options: UpstreamRequest, callback: Callback) =>
    void fetch(options).then((response) => callback(null, response), callback);

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
  if (isOutage(error) || timeouts.includes(code) || error instanceof UpstreamTimeout) return true;
  return !hasBody && (resets.includes(code) || code === badGateway);
}
