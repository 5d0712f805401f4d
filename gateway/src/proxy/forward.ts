import type { Readable } from 'node:stream';
import { unavailable } from '@lms/service/problems';
import type { Dispatcher } from 'undici';
import { endAnswer } from '../answer.ts';
import { answerHeaders } from '../answer-headers.ts';
import type { Exchange } from '../exchange.ts';
import { ClientGone, isReset, isUpstreamFailure, toProblem } from './failures.ts';
import { noteRelayed } from './relayed.ts';
import { appendResponseHeaders } from './response-headers.ts';
import type { Upstream } from './upstream.ts';
import { patience, watchReader } from './watch-reader.ts';

export interface Onward {
  headers: string[];
  body: Readable | undefined;
  /** How long the upstream may take until its headers, and between two pieces of its body. */
  headersTimeoutMs: number;
  bodyTimeoutMs: number;
}

const idempotent = ['GET', 'HEAD', 'PUT', 'DELETE'];

/**
 * Passes a request on and its answer back, both as they flow. Resolves when the answer has been sent or its client is gone.
 * @throws a 503 or 504 as long as nothing of an answer has been sent
 */
export async function forward(exchange: Exchange, upstream: Upstream, onward: Onward): Promise<void> {
  const { breaker, name } = upstream;
  if (!breaker.admits()) throw unavailable();
  const isTrial = breaker.isOpen();
  try {
    await attempt(exchange, upstream, onward, isTrial);
  } catch (error) {
    if (!isRepeatable(exchange, onward) || !isReset(error)) throw toProblem(error, name);
    await attempt(exchange, upstream, onward, isTrial).catch((again: unknown) => {
      throw toProblem(again, name);
    });
  }
}

const isRepeatable = ({ incoming, outgoing }: Exchange, { body }: Onward) =>
  body === undefined && idempotent.includes(incoming.method ?? '') && !outgoing.headersSent && !outgoing.destroyed;

function attempt(exchange: Exchange, { pool, breaker }: Upstream, onward: Onward, isTrial: boolean): Promise<void> {
  const { incoming, outgoing } = exchange;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let unwatch: (() => void) | undefined;
    let length = -1;
    let whole: Buffer | undefined;

    const resume = () => {
      unwatch?.();
      unwatch = undefined;
      controller?.resume();
    };
    const leave = () => controller?.abort(new ClientGone());
    const settle = () => {
      unwatch?.();
      outgoing.off('close', leave).off('drain', resume);
    };
    const wait = (upstreamAnswer: Dispatcher.DispatchController) => {
      upstreamAnswer.pause();
      if (unwatch) return;
      unwatch = watchReader(outgoing, patience);
      outgoing.once('drain', resume);
    };
    outgoing.on('close', leave);

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
          // It has waited for a connection while others found out that nobody answers.
          else if (breaker.isOpen() && !isTrial) started.abort(unavailable());
        },
        onResponseStart(_controller, status, upstreamHeaders) {
          if (status < 200) return;
          breaker.succeeded();
          length = Number(upstreamHeaders['content-length'] ?? -1);
          const answer = answerHeaders(exchange, status);
          appendResponseHeaders(answer, upstreamHeaders, exchange.principal !== null);
          outgoing.writeHead(status, answer);
        },
        onResponseData(started, chunk) {
          noteRelayed(chunk.length);
          // What comes in one piece leaves in one, together with its headers.
          if (chunk.length === length) whole = chunk;
          else if (!outgoing.write(chunk)) wait(started);
        },
        onResponseEnd() {
          settle();
          // Together with the other answers of this turn: a write that wakes its reader costs as much as all the rest.
          setImmediate(endAnswer, exchange, whole);
          resolve();
        },
        onResponseError(_controller, error) {
          settle();
          if (!outgoing.headersSent) {
            // A service may hang up on a body that comes too slowly; one that is out of reach fails other requests, too.
            const stopsBody = isReset(error) && onward.body?.readableEnded === false;
            if (isUpstreamFailure(error) && !stopsBody) breaker.failed();
            else breaker.abandoned();
          }
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
