import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@lms/contracts/passport';
import { requestIdHeader, requestIdOf } from '@lms/server/request-id';
import type { Place, Route } from './routing/route.ts';

/** One request on its way through the gateway, and what has been found out about it so far. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  /** Headers of the answer, whoever gives it: names and values in turn, as `writeHead` takes them. */
  readonly headers: string[];
  place: Place | undefined;
  route: Route | undefined;
  principal: Principal | null;
}

export function openExchange(incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
  const requestId = requestIdOf(incoming);
  return {
    incoming,
    outgoing,
    requestId,
    startedAt: performance.now(),
    headers: [requestIdHeader, requestId],
    place: undefined,
    route: undefined,
    principal: null,
  };
}
