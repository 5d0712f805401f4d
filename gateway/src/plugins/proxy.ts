import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy';
import { normalizeIP } from '@fastify/rate-limit';
import { passportHeader } from '@lms/contracts/passport';
import { requestIdHeader } from '@lms/service/request-id';
import { tracing } from '@lms/telemetry/tracing';
import fp from 'fastify-plugin';
import { forwardRequestHeaders, forwardResponseHeaders } from '../headers.ts';
import type { Options } from '../options.ts';
import { routes, services } from '../routes.ts';
import { contextKey, toProblem } from '../upstream.ts';
import { hasBody } from './request-bodies.ts';
import { allowOf } from './route-policies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How many resumable uploads of the caller have succeeded, of those that no response has reported before. */
    finishedUploads: number;
  }
}

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
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const own = routes.filter((route) => route.service === service && route.method === method);
      if (own.length === 0) continue;
      const options: FastifyHttpProxyOptions = {
        upstream: app.upstreams[service].url,
        undici: app.upstreams[service].pool,
        routes: own.map(({ path }) => path),
        // They apply to all routes of a registration, so each method has its own registration.
        httpMethods: method === 'GET' ? ['GET', 'HEAD'] : [method],
        // The request bodies plugin handles them.
        proxyPayloads: false,
        disableRequestLogging: true,
        internalRewriteLocationHeader: false,
        preHandler(request, reply, done) {
          if (request.method !== 'OPTIONS') return done();
          reply.header('allow', allowOf(request.routeOptions.url ?? ''));
          // A preflight succeeds whatever the state of the service.
          if (request.headers['access-control-request-method'] !== undefined) return void reply.code(204).send();
          done();
        },
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
      };
      app.register(httpProxy, options);
    }
});
