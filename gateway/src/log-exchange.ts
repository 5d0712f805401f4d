import type { Logger } from 'pino';
import type { Exchange } from './exchange.ts';

/** One line a request, with what an operator asks for first; never a token, a signature, an e-mail or a query. */
export function logExchange(
  { incoming, outgoing, requestId, startedAt, place, principal, trace }: Exchange,
  logger: Logger,
) {
  logger.info(
    {
      requestId,
      method: incoming.method,
      route: place?.path ?? 'unknown',
      status: outgoing.headersSent ? outgoing.statusCode : undefined,
      durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
      userId: principal?.userId,
      ...(trace && { traceId: trace.traceparent.split('-')[1] }),
      ...(!outgoing.writableFinished && { broken: true }),
    },
    'request',
  );
}
