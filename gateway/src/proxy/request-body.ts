import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { PayloadTooLarge, RequestTimeout } from '@lms/service/problems';
import { ClientGone } from './failures.ts';
import { noteRelayed } from './relayed.ts';

export interface BodyLimits {
  maxBytes: number;
  /** How long it may take as a whole. */
  totalMs: number;
  /** How long nothing may come while something is waited for. */
  idleMs: number;
}

/** True when a request brings bytes along; those of GET and HEAD mean nothing and are not passed on. */
export function bringsBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** @throws a 413 when a body announces more than may come */
export function checkLength({ headers }: IncomingMessage, maxBytes: number) {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new PayloadTooLarge();
}

/**
 * The bytes of a request, passed on as they come and no faster than they are taken.
 * It stands between the two connections because whoever sends a stream destroys it on failure, and the client's
 * connection must outlive that for the answer that tells of it.
 */
export function passBody(incoming: IncomingMessage, { maxBytes, totalMs, idleMs }: BodyLimits): Readable {
  const startedAt = performance.now();
  let seen = 0;
  let heardAt = startedAt;
  const timer = setInterval(() => {
    const now = performance.now();
    // While the service takes nothing, the client is not the one who is late.
    if (incoming.isPaused()) heardAt = now;
    if (now - startedAt > totalMs || now - heardAt > idleMs) body.destroy(new RequestTimeout());
  }, 1_000);
  const body = new Readable({
    read() {
      incoming.resume();
    },
    destroy(error, done) {
      clearInterval(timer);
      incoming.off('data', pass).off('end', end).off('close', end);
      done(error);
    },
  });
  function pass(chunk: Buffer) {
    seen += chunk.length;
    heardAt = performance.now();
    noteRelayed(chunk.length);
    if (seen > maxBytes) body.destroy(new PayloadTooLarge());
    else if (!body.push(chunk)) incoming.pause();
  }
  function end() {
    clearInterval(timer);
    if (incoming.complete) body.push(null);
    else body.destroy(new ClientGone());
  }
  // Nobody listens any more when a connection fails late.
  body.on('error', () => undefined);
  incoming.on('data', pass).on('end', end).on('close', end).pause();
  return body;
}
