import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SignPassport } from '@lms/auth/sign-passport';
import { NotFound, Unauthorized } from '@lms/server/problems';
import type { Logger } from 'pino';
import { sendFailure } from './answer.ts';
import { readBearer } from './bearer/read-bearer.ts';
import type { Verifier } from './bearer/verify-token.ts';
import type { ClientAddress } from './entry/client-address.ts';
import type { Cors } from './entry/cors.ts';
import { checkFraming } from './entry/framing-gate.ts';
import { passGate } from './entry/path-gate.ts';
import { type Exchange, openExchange } from './exchange.ts';
import { logExchange } from './log-exchange.ts';
import { requireActive } from './principals/account-status.ts';
import type { Principals } from './principals/principals.ts';
import { forward } from './proxy/forward.ts';
import { bringsBody, checkLength, passBody } from './proxy/request-body.ts';
import { requestHeaders } from './proxy/request-headers.ts';
import type { Upstream } from './proxy/upstream.ts';
import { type Match, routeOf } from './routing/match.ts';
import type { Route, Upstream as UpstreamName } from './routing/route.ts';

export interface DoorParts {
  logger: Logger;
  match: Match;
  cors: Cors;
  clientAddress: ClientAddress;
  verifier: Verifier;
  principals: Principals;
  signPassport: SignPassport;
  publicUrl: URL;
  upstreams: Record<UpstreamName, Upstream>;
  /** The gateway's own answers, by path. */
  own: Record<string, (exchange: Exchange) => unknown>;
}

const headersTimeoutMs = 10_000;
const uploadHeadersTimeoutMs = 60_000;
const idleMs = 30_000;

/** The way of every request: path, route, token, account, and on to whoever answers. */
export function createDoor(parts: DoorParts) {
  const { logger, match, cors, clientAddress, verifier, principals, signPassport, publicUrl, upstreams, own } = parts;

  async function answer(exchange: Exchange) {
    const { incoming } = exchange;
    cors.admit(exchange);
    checkFraming(incoming);
    exchange.place = match(passGate(incoming.url ?? ''));
    if (incoming.method === 'OPTIONS' && exchange.place) return cors.answerOptions(exchange);
    const route = routeOf(exchange.place, incoming.method ?? '');
    exchange.route = route;
    if (route.limit !== 'webhook') await identify(exchange, route);
    if (route.upstream === 'gateway') return answerByOneself(exchange, route);
    return passOn(exchange, route, route.upstream);
  }

  /** Who is asking is found out wherever a token is sent, whether the route needs it or not. */
  async function identify(exchange: Exchange, route: Route) {
    const token = readBearer(exchange.incoming);
    if (token === undefined) {
      if (route.token === 'required') throw new Unauthorized();
      return;
    }
    const claims = verifier.recall(token) ?? (await verifier.verify(token));
    exchange.principal = await principals.resolve(claims, exchange.requestId);
    requireActive(exchange.principal);
  }

  function answerByOneself(exchange: Exchange, { path }: Route) {
    const answerOf = own[path];
    if (!answerOf) throw new NotFound();
    return answerOf(exchange);
  }

  function passOn(exchange: Exchange, { limit, maxBodyBytes }: Route, upstream: UpstreamName) {
    const { incoming, principal, requestId } = exchange;
    const hasBody = bringsBody(incoming);
    if (hasBody) checkLength(incoming, maxBodyBytes);
    const address = clientAddress(incoming.socket.remoteAddress, incoming.headers['x-forwarded-for']);
    const passport = principal ? signPassport({ principal, requestId }) : undefined;
    return forward(exchange, upstreams[upstream], {
      headers: requestHeaders(exchange, { address, passport, publicUrl, hasBody }),
      body: hasBody ? passBody(incoming, maxBodyBytes) : undefined,
      headersTimeoutMs: limit === 'upload' ? uploadHeadersTimeoutMs : headersTimeoutMs,
      bodyTimeoutMs: idleMs,
    });
  }

  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const exchange = openExchange(incoming, outgoing);
    outgoing.once('close', () => logExchange(exchange, logger));
    answer(exchange).catch((error: unknown) => sendFailure(exchange, error, logger));
  };
}
export type Door = ReturnType<typeof createDoor>;
