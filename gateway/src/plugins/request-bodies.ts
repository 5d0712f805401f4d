import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { PayloadTooLarge, RequestTimeout } from '@lms/service/problems';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ClientGone } from '../upstream.ts';

export interface BodyLimits {
  maxBytes: number;
  /** How long it may take as a whole. */
  totalMs: number;
  /** How long nothing may arrive while something is waited for. */
  idleMs: number;
}

const jsonBodyMs = 30_000;
const idleMs = 30_000;
const shortBody = 256 * 1_024;
const drainMs = 2_000;
const drainBytes = 4 * 1_024 * 1_024;

/** Bodies pass through as they are: nothing reads them here, and nothing but their length and their pace is looked at. */
export const requestBodies = fp(async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => done(null, bringsBody(request) ? payload : undefined));

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!bringsBody(request)) return done(null, payload);
    const { isUpload, maxBodyBytes: maxBytes = 0 } = request.policy;
    const { 'content-length': length = 0, expect } = request.headers;
    if (Number(length) > maxBytes) return done(new PayloadTooLarge());
    if (expect !== undefined) reply.raw.writeContinue();
    const totalMs = isUpload ? Number.POSITIVE_INFINITY : jsonBodyMs;
    done(null, limitBody(request.raw, { maxBytes, totalMs, idleMs }));
  });

  // A connection that is closed while bytes are still coming in is reset, and a reset may overtake the response. So the
  // rest of the body is read for a moment before the response ends.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!leavesBodyUnread(request.raw)) return done(null, payload);
    reply.header('connection', 'close');
    if (typeof payload === 'string') reply.header('content-length', String(Buffer.byteLength(payload)));
    done(null, Readable.from(respondAndDrain(payload, request.raw), { objectMode: false }));
  });

  // Node would say "100 Continue" to everyone; here a client may send only after all checks.
  app.server.on('checkContinue', app.routing).on('checkExpectation', app.routing);
});

/** True when a request brings bytes along; those of GET and HEAD mean nothing and are not passed on. */
export function bringsBody({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Passes a body on no faster than it is taken. It stands between the two connections because undici destroys a body
 * whose request fails, and the client's connection must outlive that for the response.
 */
export function limitBody(incoming: IncomingMessage, { maxBytes, totalMs, idleMs }: BodyLimits): Transform {
  const startedAt = performance.now();
  let [arrivedAt, size] = [startedAt, 0];
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      arrivedAt = performance.now();
      size += chunk.length;
      if (size > maxBytes) return done(new PayloadTooLarge());
      // One piece a turn: a service that refuses an upload halfway closes, and what it has said is to be read before
      // the next write fails.
      setImmediate(done, null, chunk);
    },
  });
  const timer = setInterval(() => {
    const now = performance.now();
    // While the service takes nothing, the client is not the one who is late.
    if (body.writableNeedDrain) arrivedAt = now;
    if (now - startedAt > totalMs || now - arrivedAt > idleMs) body.destroy(new RequestTimeout());
  }, 1_000);
  const leave = () => {
    if (!incoming.complete) body.destroy(new ClientGone());
  };
  incoming.once('close', leave);
  body
    .on('error', () => undefined)
    .once('close', () => {
      clearInterval(timer);
      incoming.off('close', leave);
    });
  return incoming.pipe(body);
}

/** True when so much of a body may still be on its way that it is cheaper to end the connection than to read it. */
function leavesBodyUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > shortBody;
}

async function* respondAndDrain(payload: unknown, incoming: IncomingMessage) {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) yield payload;
  else if (payload instanceof Readable) yield* payload;
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), drainMs);
  let left = drainBytes;
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) enough.abort();
  });
  await once(incoming.resume(), 'close', { signal: enough.signal }).catch(() => undefined);
  clearTimeout(timer);
}
