import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenClaims } from '@lms/contracts/internal/identity';
import { Unauthorized } from '@lms/service/problems';
import type { Logger } from 'pino';
import { sendFailure, sendRefusal } from './answer.ts';
import { findBearer, readBearer } from './bearer/read-bearer.ts';
import type { Verifier } from './bearer/verify-token.ts';
import type { ClientAddress } from './entry/client-address.ts';
import type { Cors } from './entry/cors.ts';
import { checkFraming, isDistrusted } from './entry/framing-gate.ts';
import type { Shedder } from './entry/load-shedder.ts';
import { passGate } from './entry/path-gate.ts';
import { type Exchange, type Manners, openExchange } from './exchange.ts';
import type { Limits } from './limits/limits.ts';
import { scopeOf } from './limits/policy.ts';
import { logExchange } from './log-exchange.ts';
import type { Measure } from './measure-exchanges.ts';
import { requireActive } from './principals/account-status.ts';
import type { Principals } from './principals/principals.ts';
import { type Match, routeOf } from './routing/match.ts';
import type { Route } from './routing/route.ts';
import { traceExchange } from './trace-exchange.ts';

export interface DoorParts {
  logger: Logger;
  requestLogger: Logger;
  manners: Manners;
  shedder: Shedder;
  match: Match;
  cors: Cors;
  clientAddress: ClientAddress;
  limits: Limits;
  measure: Measure | undefined;
  verifier: Verifier;
  principals: Principals;
  /** Gives the answer to a request that may have one. */
  answer: (exchange: Exchange, route: Route, address: string) => unknown;
}

/** The way of every request: framing and path, limits, route, token, account, and on to whoever answers. */
export function createDoor(parts: DoorParts) {
  const { logger, requestLogger, manners, shedder, match, cors, clientAddress, limits, verifier, principals, measure } =
    parts;

  async function admit(exchange: Exchange) {
    const { incoming } = exchange;
    const method = incoming.method ?? '';
    cors.admit(exchange);
    checkFraming(exchange);
    const path = passGate(incoming.url ?? '');
    exchange.place = match(path);
    exchange.route = exchange.place?.routes.get(method);
    const address = clientAddress(incoming.socket.remoteAddress, incoming.headers['x-forwarded-for']);
    const scope = scopeOf(path, exchange.place, method);
    if (scope) {
      const refusal = limits.refuseFlood(exchange, scope, address);
      // Together with all others of this turn, as answers of services are (proxy/forward.ts).
      if (refusal) return void setImmediate(sendRefusal, exchange, refusal);
      shedder.check();
      await limits.admit(exchange, scope, address, recall(exchange));
    }
    if (method === 'OPTIONS' && exchange.place) return cors.answerOptions(exchange);
    const route = routeOf(exchange.place, method);
    if (route.token === 'optional') exchange.headers.push('vary', 'Authorization');
    if (route.token !== 'ignored') await identify(exchange, route);
    return parts.answer(exchange, route, address);
  }

  /** The caller as far as memory tells without asking anybody, so that all counting takes one round trip. */
  function recall(exchange: Exchange) {
    const { incoming, route } = exchange;
    if (!route || route.token === 'ignored' || route.storesEmail) return undefined;
    const token = findBearer(incoming);
    exchange.claims = token === undefined ? undefined : verifier.recall(token);
    const principal = exchange.claims && principals.recall(exchange.claims.identityProviderId);
    if (principal?.status !== 'ACTIVE') return undefined;
    exchange.principal = principal;
    return { principal, isUpload: route.limit === 'upload' };
  }

  /** Who is asking is found out wherever a token is sent, whether the route needs it or not. */
  async function identify(exchange: Exchange, route: Route) {
    if (exchange.principal) return;
    const token = readBearer(exchange.incoming);
    if (token === undefined) {
      if (route.token === 'required') throw new Unauthorized();
      return;
    }
    const claims: TokenClaims = exchange.claims ?? (await verifier.verify(token));
    const find = route.storesEmail ? principals.refresh : principals.resolve;
    const principal = await find(claims, exchange.requestId);
    exchange.principal = principal;
    requireActive(principal);
    await limits.charge(exchange, { principal, isUpload: route.limit === 'upload' });
  }

  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (isDistrusted(incoming)) return;
    const exchange = openExchange(incoming, outgoing, manners);
    shedder.enter();
    outgoing.once('close', () => {
      shedder.leave();
      limits.settle(exchange);
      logExchange(exchange, requestLogger);
      measure?.(exchange);
      // Its answer was begun before the end of this process was; it could not say that the connection ends.
      if (manners.isClosing) incoming.socket.end();
    });
    const enter = () => admit(exchange).catch((error: unknown) => sendFailure(exchange, error, logger));
    exchange.trace = traceExchange(exchange);
    if (exchange.trace) void exchange.trace.run(enter);
    else void enter();
  };
}
