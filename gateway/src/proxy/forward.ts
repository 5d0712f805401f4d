import type { Readable } from 'node:stream';
import { UpstreamTimeout, unavailable } from '@lms/server/problems';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange.ts';
import { appendResponseHeaders } from './response-headers.ts';
import type { Upstream } from './upstream.ts';

export interface Onward {
  headers: string[];
  body: Readable | undefined;
  /** How long the upstream may take until its headers, and between two pieces of its body. */
  headersTimeoutMs: number;
  bodyTimeoutMs: number;
}

class ClientGone extends Error {
  override name = 'ClientGone';
}

/**
 * Passes a request on and its answer back, both as they flow. Resolves when the answer has been sent or its client is gone.
 * @throws a 503 or 504 as long as nothing of an answer has been sent
 */
export async function forward(exchange: Exchange, upstream: Upstream, onward: Onward): Promise<void> {
  try {
    await attempt(exchange, upstream, onward);
  } catch (error) {
    if (!isRepeatable(exchange, onward, error)) throw toProblem(error, upstream.name);
    await attempt(exchange, upstream, onward).catch((again: unknown) => {
      throw toProblem(again, upstream.name);
    });
  }
}

function attempt({ incoming, outgoing, headers }: Exchange, { pool }: Upstream, onward: Onward): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    const resume = () => controller?.resume();
    const leave = () => {
      if (!outgoing.writableFinished) controller?.abort(new ClientGone());
    };
    const settle = () => {
      outgoing.off('close', leave).off('drain', resume);
    };
    outgoing.on('close', leave).on('drain', resume);

    pool.dispatch(
      {
        path: incoming.url ?? '/',
        method: incoming.method ?? 'GET',
        headers: onward.headers,
        body: onward.body ?? null,
        headersTimeout: onward.headersTimeoutMs,
        bodyTimeout: onward.bodyTimeoutMs,
      },
      {
        onRequestStart(started) {
          controller = started;
          if (outgoing.destroyed) started.abort(new ClientGone());
        },
        onResponseStart(_controller, status, upstreamHeaders) {
          if (status < 200) return;
          const answer = headers.slice();
          appendResponseHeaders(answer, upstreamHeaders);
          outgoing.writeHead(status, answer);
        },
        onResponseData(started, chunk) {
          if (!outgoing.write(chunk)) started.pause();
        },
        onResponseEnd() {
          settle();
          outgoing.end();
          resolve();
        },
        onResponseError(_controller, error) {
          settle();
          if (outgoing.destroyed) return resolve();
          if (!outgoing.headersSent) return reject(error);
          // Half an answer must not look like a whole one.
          outgoing.destroy();
          resolve();
        },
      },
    );
  });
}

const resets = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
const idempotent = ['GET', 'HEAD', 'PUT', 'DELETE'];

/** A kept connection may be closed by the other side just as it is used again; what has no body can then be sent once more. */
function isRepeatable({ incoming, outgoing }: Exchange, { body }: Onward, error: unknown): boolean {
  if (outgoing.destroyed || outgoing.headersSent || body !== undefined) return false;
  return idempotent.includes(incoming.method ?? '') && resets.includes(codeOf(error));
}

const codeOf = (error: unknown): string => String(Object(error).code);

function toProblem(error: unknown, upstream: string) {
  if (typeof Object(error).statusCode === 'number') return error;
  const cause = new Error(`${upstream} could not be reached`, { cause: error });
  if (['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(codeOf(error)))
    return new UpstreamTimeout({ cause });
  return unavailable(cause);
}
