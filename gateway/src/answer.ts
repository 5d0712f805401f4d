import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorEnvelope, isProblem } from '@lms/service/error-handler';
import { InternalError } from '@lms/service/problems';
import type { Logger } from 'pino';
import { answerHeaders } from './answer-headers.ts';
import { strictPolicy } from './entry/security-headers.ts';
import type { Exchange } from './exchange.ts';
import { patience } from './proxy/watch-reader.ts';

const lingerMs = 2_000;
const lingerBytes = 4 * 1_024 * 1_024;

/** Sends an answer of the gateway's own. */
export function sendJson(exchange: Exchange, status: number, body: unknown, more: string[] = []) {
  const { incoming, outgoing } = exchange;
  const text = JSON.stringify(body);
  const headers = answerHeaders(exchange, status);
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(text)));
  headers.push('cache-control', 'no-store', 'content-security-policy', strictPolicy, ...more);
  outgoing.writeHead(status, headers);
  endAnswer(exchange, incoming.method === 'HEAD' ? undefined : text);
}

/** Every failure leaves in the same envelope; what a 5xx was about stays in the log. */
export function sendFailure(exchange: Exchange, error: unknown, logger: Logger) {
  const { outgoing, requestId } = exchange;
  if (outgoing.destroyed) return;
  const problem = isProblem(error) ? error : new InternalError({ cause: error });
  const status = problem.statusCode ?? 500;
  if (status === 500) logger.error({ requestId, err: problem }, problem.message);
  else if (status > 500 && problem.cause) logger.warn({ requestId, reason: reasonOf(problem.cause) }, problem.message);
  // An answer that broke off in the middle must not look whole.
  if (outgoing.headersSent) return void outgoing.destroy();
  sendRefusal(exchange, { ...problem, statusCode: status, message: problem.message });
}

export interface Refusal {
  statusCode: number;
  code: string;
  message: string;
  details?: unknown;
  headers?: Record<string, string>;
}

export function sendRefusal(exchange: Exchange, { statusCode, code, message, details, headers }: Refusal) {
  const more = statusCode === 401 ? ['www-authenticate', 'Bearer'] : [];
  for (const name in headers) more.push(name, headers[name] ?? '');
  sendJson(exchange, statusCode, errorEnvelope({ code, message, details }, exchange.requestId), more);
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? [cause.message, ...(cause.cause ? [reasonOf(cause.cause)] : [])].join(': ') : String(cause);

/** Ends an answer. */
export function endAnswer({ incoming, outgoing, lingers }: Exchange, body?: string | Buffer) {
  if (!lingers || incoming.complete) return end(outgoing, body);
  if (body !== undefined) outgoing.write(body);
  linger(incoming, () => end(outgoing));
}

function end(outgoing: ServerResponse, body?: string | Buffer) {
  outgoing.end(body);
  // Whatever is not on its way yet waits for its reader, though not for ever.
  if (outgoing.writableLength > 0) outgoing.setTimeout(patience.blindMs);
}

/**
 * A connection that is closed while bytes are still coming in is reset, and a reset may overtake the answer.
 * So the rest of the body is read for a moment, until the client has seen that nobody wants it.
 */
function linger(incoming: IncomingMessage, done: () => void) {
  let left = lingerBytes;
  const timer = setTimeout(finish, lingerMs);
  function finish() {
    clearTimeout(timer);
    incoming.off('data', discard);
    done();
  }
  function discard(chunk: Buffer) {
    left -= chunk.length;
    if (left < 0) finish();
  }
  incoming.on('data', discard).once('end', finish).once('close', finish).resume();
}
