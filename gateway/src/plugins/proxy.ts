import type { IncomingHttpHeaders } from 'node:http';
import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy';
import { normalizeIP } from '@fastify/rate-limit';
import { passportHeader } from '@lms/contracts/passport';
import { requestIdHeader } from '@lms/service/request-id';
import { tracing } from '@lms/telemetry/tracing';
import fp from 'fastify-plugin';
import type { Options } from '../config.ts';
import { methods, routes, services } from '../routes.ts';
import { hasBody } from './request-bodies.ts';
import { contextKey, toProblem } from './upstreams.ts';

/** Headers that belong to one connection, not to the message (RFC 9110 §7.6.1). */
const hopByHop =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade ' +
  'http2-settings';
/** Headers that clients must not forge, and headers that the gateway sets itself. */
const reservedNames =
  'expect host authorization forwarded via x-real-ip x-http-method x-http-method-override x-method-override ' +
  `x-original-url x-rewrite-url ${requestIdHeader} ${passportHeader}`;
const droppedFromRequests = new Set(`${hopByHop} ${reservedNames}`.split(' '));
const reserved = /^x-(?:lms|user|forwarded)-/;
const droppedFromResponses = new Set(`${hopByHop} server via x-powered-by`.split(' '));
// CORS, rate limits and quotas are up to the gateway; passports are internal.
const reservedInResponses = /^(?:access-control|x-lms|x-ratelimit|x-quota)-/;
// From media; not passed on.
const uploadFinishedHeader = 'x-lms-upload-finished';

type ReplyOptions = NonNullable<FastifyHttpProxyOptions['replyOptions']>;

/** Forwards the routes of each service to it. */
export const proxy = fp(async (app, { config }: Options) => {
  app.decorateRequest('finishedUploads', 0);
  const publicUrl = new URL(config.PUBLIC_URL);
  // Each forwarded request listens for the end of its connection, and a client may send many on one.
  app.server.on('connection', (socket) => socket.setMaxListeners(0));

  /** The client's headers without the reserved ones, and the gateway's own. */
  const rewriteRequestHeaders: ReplyOptions['rewriteRequestHeaders'] = (request, headers) => {
    const forwarded = forwardRequestHeaders(headers, hasBody(request));
    if (tracing()) for (const name of ['traceparent', 'tracestate', 'baggage']) delete forwarded[name];
    if (request.principal) forwarded[passportHeader] = app.passportOf(request.principal);
    else if (request.tokenClaims) forwarded[passportHeader] = app.passportOfToken(request.tokenClaims);
    return Object.assign(forwarded, {
      [requestIdHeader]: request.id,
      'x-forwarded-for': request.ip.includes(':') ? normalizeIP(request.ip, 128) : request.ip,
      'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
      'x-forwarded-host': publicUrl.host,
      [contextKey]: request,
    });
  };

  for (const service of services)
    app.register(httpProxy, {
      upstream: app.upstreams[service].url,
      undici: app.upstreams[service].pool,
      routes: [...new Set(routes.filter((route) => route.service === service).map(({ path }) => path))],
      httpMethods: methods,
      // The request bodies plugin handles them.
      proxyPayloads: false,
      disableRequestLogging: true,
      internalRewriteLocationHeader: false,
      replyOptions: {
        // By default a GET that gets a 503 is sent eleven times.
        retryDelay: () => null,
        rewriteRequestHeaders,
        rewriteHeaders(headers, request) {
          if (request) request.finishedUploads = Number(headers[uploadFinishedHeader] ?? 0);
          return forwardResponseHeaders(headers);
        },
        onError: (reply, { error }) => {
          if (!reply.raw.destroyed) reply.send(toProblem(error.cause ?? error, service));
        },
      },
    });
});

/** The headers of a client that are forwarded; those that describe a body only if there is one. */
function forwardRequestHeaders(headers: IncomingHttpHeaders, hasBody: boolean): IncomingHttpHeaders {
  const forwarded: IncomingHttpHeaders = {};
  for (const name in headers) {
    // Some servers treat underscores as hyphens.
    const plain = name.includes('_') ? name.replaceAll('_', '-') : name;
    if (droppedFromRequests.has(plain) || reserved.test(plain)) continue;
    if (hasBody || !describesBody(name, headers[name])) forwarded[name] = headers[name];
  }
  return forwarded;
}

// Many clients send the content type of a form or a text without a body, which services would refuse. An empty CSV file
// is a file.
const describesBody = (name: string, value: unknown) =>
  name === 'content-length' ||
  (name === 'content-type' &&
    !/^(application\/(json|offset\+octet-stream)|multipart\/|text\/csv)/i.test(String(value)));

export function forwardResponseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const connection = headers.connection?.toLowerCase().split(/[ ,]+/);
  const forwarded: IncomingHttpHeaders = {};
  for (const name in headers)
    if (!droppedFromResponses.has(name) && !reservedInResponses.test(name) && !connection?.includes(name))
      forwarded[name] = headers[name];
  return forwarded;
}
