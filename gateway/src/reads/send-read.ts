import { matchesEtag } from '@lms/service/etags';
import { InternalError } from '@lms/service/problems';
import { endAnswer, sendJson } from '../answer.ts';
import { answerHeaders } from '../answer-headers.ts';
import type { Exchange } from '../exchange.ts';
import type { Whole } from '../proxy/fetch-whole.ts';

/** An answer that all anonymous callers get alike. */
export interface Read {
  body: Buffer;
  etag: string | undefined;
  /** Names and values in turn. */
  headers: string[];
}

export function sendRead(exchange: Exchange, { body, etag, headers }: Read) {
  const { incoming, outgoing } = exchange;
  if (etag !== undefined && matchesEtag(incoming.headers['if-none-match'], etag)) {
    outgoing.writeHead(304, [...answerHeaders(exchange, 304), ...headers]);
    return endAnswer(exchange);
  }
  const all = answerHeaders(exchange, 200);
  all.push(...headers, 'content-length', String(body.length));
  outgoing.writeHead(200, all);
  endAnswer(exchange, incoming.method === 'HEAD' ? undefined : body);
}

/** A refusal of content's, told to each who waited for it under their own request's id. */
export function sendFailedRead(exchange: Exchange, { status, body, headers }: Whole) {
  const failure = parse(body);
  if (failure === undefined) throw new InternalError({ cause: new Error(`content answered ${status} without JSON`) });
  const retryAfter = headers['retry-after'];
  const more = typeof retryAfter === 'string' ? ['retry-after', retryAfter] : [];
  sendJson(exchange, status, { ...Object(failure), requestId: exchange.requestId }, more);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
