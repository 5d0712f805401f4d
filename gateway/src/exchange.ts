import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import type { Principal } from '@lms/contracts/passport';
import { requestIdHeader, requestIdOf } from '@lms/service/request-id';
import type { Span } from '@lms/telemetry/spans';
import type { Charge, WindowState } from './limits/item.ts';
import type { Metric } from './limits/policy.ts';
import type { Place, Route } from './routing/route.ts';

/** What holds for all answers of this process. */
export interface Manners {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** From now on connections end with the answer that they carry. */
  isClosing: boolean;
}

/** One request on its way through the gateway, and what has been found out about it so far. */
export interface Exchange {
  readonly manners: Manners;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  /** Headers of the answer, whoever gives it: names and values in turn, as `writeHead` takes them. */
  readonly headers: string[];
  place: Place | undefined;
  route: Route | undefined;
  /** What its token says, once that is known to be good. */
  claims: TokenClaims | undefined;
  principal: Principal | null;
  /** The public limits it was counted under. */
  readonly windows: WindowState[];
  /** The monthly quotas it was counted under, where there are any. */
  readonly quotas: QuotaState[];
  /** What it has taken from somebody's month. */
  charge: Charge | undefined;
  /** Set where traces are recorded. */
  trace: Span | undefined;
  /** True when nothing more is heard on this connection. */
  endsConnection: boolean;
  /** True when the answer is given before the request has been read, and its connection ends with it. */
  lingers: boolean;
}

export interface QuotaState {
  metric: Metric;
  limit: number;
  used: number;
  resetsAt: Date;
}

export function openExchange(incoming: IncomingMessage, outgoing: ServerResponse, manners: Manners): Exchange {
  const requestId = requestIdOf(incoming);
  return {
    manners,
    incoming,
    outgoing,
    requestId,
    startedAt: performance.now(),
    headers: [requestIdHeader, requestId, ...manners.headers],
    place: undefined,
    route: undefined,
    claims: undefined,
    principal: null,
    windows: [],
    quotas: [],
    charge: undefined,
    trace: undefined,
    endsConnection: false,
    lingers: false,
  };
}
