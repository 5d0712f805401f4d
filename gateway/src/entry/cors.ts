import { endAnswer } from '../answer.ts';
import { answerHeaders } from '../answer-headers.ts';
import type { Exchange } from '../exchange.ts';

const exposed = [
  'ETag',
  'Link',
  'Content-Disposition',
  'Content-Range',
  'Accept-Ranges',
  'Idempotency-Replayed',
  'Retry-After',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
].join(', ');
const accepted =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id, traceparent';
const preflightSeconds = 600;

/** Lets pages of the listed origins read answers. A foreign origin is told nothing, which makes the browser refuse it. */
export function createCors(origins: readonly string[]) {
  const allowed = new Set(origins);
  const isAllowed = (origin: string | undefined): origin is string => origin !== undefined && allowed.has(origin);

  return {
    /** Adds what a page needs for reading the answer. */
    admit({ incoming, headers }: Exchange) {
      if (allowed.size === 0) return;
      headers.push('vary', 'Origin');
      const { origin } = incoming.headers;
      if (isAllowed(origin))
        headers.push('access-control-allow-origin', origin, 'access-control-expose-headers', exposed);
    },
    /** Answers OPTIONS: what a path knows, and what a page may send to it. */
    answerOptions(exchange: Exchange) {
      const { incoming, outgoing, place } = exchange;
      const allow = place?.allow ?? '';
      const permission = isAllowed(incoming.headers.origin)
        ? [
            'access-control-allow-methods',
            allow,
            'access-control-allow-headers',
            accepted,
            'access-control-max-age',
            String(preflightSeconds),
          ]
        : [];
      outgoing.writeHead(204, [...answerHeaders(exchange, 204), 'allow', allow, ...permission]);
      endAnswer(exchange);
    },
  };
}
export type Cors = ReturnType<typeof createCors>;
