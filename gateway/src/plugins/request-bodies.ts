import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PayloadTooLarge, RequestTimeout } from '@lms/service/problems';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ClientDisconnected } from './upstreams.ts';

export interface BodyLimits {
  maxBytes: number;
  /** The maximum duration of the whole body. */
  totalMs: number;
  /** The maximum time between two chunks. */
  idleMs: number;
}

const jsonBodyMs = 30_000;
const idleMs = 30_000;
const cheapToReadBytes = 256 * 1_024;
const drainMs = 2_000;

/** Streams bodies to the services without parsing them; only their size and pace are limited. */
export const requestBodies = fp(async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => done(null, hasBody(request) ? payload : undefined));

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request) || request.is404) return done(null, payload);
    const { isUpload, isTransfer, maxBodyBytes: maxBytes = 0 } = request.policy;
    const { 'content-length': length = 0, expect } = request.headers;
    if (Number(length) > maxBytes) return done(new PayloadTooLarge({ details: { maxBytes } }));
    // Node leaves the header of HTTP/1.0 to the application, which has to ignore it.
    if (expect !== undefined && request.raw.httpVersionMinor > 0) reply.raw.writeContinue();
    const totalMs = isUpload || isTransfer ? Number.POSITIVE_INFINITY : jsonBodyMs;
    const body = limitBody(request.raw, { maxBytes, totalMs, idleMs });
    // If the request is refused, nothing reads it.
    reply.raw.once('close', () => body.destroy());
    done(null, body);
  });

  // A connection that is closed while bytes still arrive is reset, and the client may see the reset before the response.
  // So the rest of the body is read for a moment before the response ends.
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // A body that has timed out is not awaited any longer.
    if (!leavesBodyUnread(raw) && reply.statusCode !== 408) return done(null, payload);
    reply.header('connection', 'close');
    if (typeof payload === 'string') reply.header('content-length', String(Buffer.byteLength(payload)));
    done(null, Readable.from(respondAndDrain(payload, raw), { objectMode: false }));
  });

  // By default Node sends 100 Continue to every client; here it is sent after all checks.
  app.server.on('checkContinue', app.routing).on('checkExpectation', app.routing);
});

/** True if the request has a body to forward. A body of GET or HEAD has no meaning. */
export function hasBody({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * A body with limits on its size and pace. It is a stream of its own because undici destroys the body of a failed request,
 * and the client's connection has to stay open for the response.
 */
export function limitBody(incoming: IncomingMessage, { maxBytes, totalMs, idleMs }: BodyLimits) {
  const startedAt = performance.now();
  let [arrivedAt, size] = [startedAt, 0];
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      arrivedAt = performance.now();
      size += chunk.length;
      if (size > maxBytes) return done(new PayloadTooLarge({ details: { maxBytes } }));
      // One chunk a turn: if a service refuses an upload early and closes, its response is read before the next write
      // fails.
      setImmediate(done, null, chunk);
    },
  });
  const timer = setInterval(() => {
    const now = performance.now();
    // While the service does not read, the client is not idle.
    if (body.writableNeedDrain) arrivedAt = now;
    if (now - startedAt > totalMs || now - arrivedAt > idleMs) body.destroy(new RequestTimeout());
  }, 1_000);
  incoming.once('close', () => {
    if (!incoming.complete) body.destroy(new ClientDisconnected());
  });
  body.on('error', () => undefined).once('close', () => clearInterval(timer));
  return incoming.pipe(body);
}

/** True if so much of a body may be left that closing the connection is cheaper than reading it. */
function leavesBodyUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > cheapToReadBytes;
}

async function* respondAndDrain(payload: unknown, incoming: IncomingMessage) {
  if (payload instanceof Readable) yield* payload;
  else if (payload) yield payload;
  await finished(incoming.resume(), { signal: AbortSignal.timeout(drainMs) }).catch(() => undefined);
}
