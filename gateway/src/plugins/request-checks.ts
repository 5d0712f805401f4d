import type { IncomingMessage } from 'node:http';
import underPressure from '@fastify/under-pressure';
import { handleClientError } from '@lms/service/client-error-handler';
import { sendProblem } from '@lms/service/error-handler';
import { badRequest, UriTooLong, unavailable } from '@lms/service/problems';
import { isUrlTooLong } from '@lms/service/url-length';
import { createCounter } from '@lms/telemetry/metrics';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Options } from '../options.ts';

// An encoded dot, slash or NUL means one thing here and perhaps another to a service.
const suspicious = /%00|%2f|%5c|(?:\.|%2e){2}|\/\/|\\|#/i;
const unprintable = /[^\x21-\x7e]/;
// What RFC 3986 lets a host and its port be made of: no space, no slash, no @; it may be empty.
const hostname = /^[\w.~!$&'()*+,;=%:[\]-]*$/;
const maxEventLoopDelayMs = 3_000;
const retryAfterSeconds = 1;

/** Refuses what must not be looked at any further: ambiguous requests, and any request while the gateway is overloaded. */
export const requestChecks = fp(async (app, { config, registry }: Options) => {
  // Whatever follows on the connection of an ambiguous request may be part of it.
  const distrusted = new WeakSet<object>();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, url } = request;
    if (distrusted.has(raw.socket)) return void reply.hijack();
    const field = ambiguousField(raw);
    if (field) {
      distrusted.add(raw.socket);
      reply.header('connection', 'close');
      return done(badRequest({ field, message: 'is missing, doubled, malformed or not supported' }));
    }
    if (isUrlTooLong(url)) return done(new UriTooLong());
    const path = pathOf(url);
    const isAmbiguous = path[0] !== '/' || unprintable.test(url) || suspicious.test(path);
    done(isAmbiguous ? ambiguousPath(url) : undefined);
  });

  const countOverload = createCounter(registry, { name: 'gateway_shed_total', help: 'Requests refused in overload' });
  function refuse({ policy }: FastifyRequest) {
    // Probes are for finding out.
    if (policy.limit === 'none') return;
    countOverload();
    throw unavailable(undefined, retryAfterSeconds);
  }
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    pressureHandler(request, _reply, _type, delayMs) {
      // Infinite stands for no sample, which a busy machine may miss.
      if (delayMs !== Number.POSITIVE_INFINITY) refuse(request);
    },
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (app.requestsInFlight() > config.MAX_REQUESTS_IN_FLIGHT) refuse(request);
    done();
  });

  // Node hands CONNECT over as a bare socket.
  const invalidMethod = Object.assign(new Error('CONNECT'), { code: 'HPE_INVALID_METHOD' });
  app.server.on('connect', (_incoming, socket) => handleClientError(invalidMethod, socket));
});

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
const ambiguousPath = (url: string) => badRequest({ field: 'path', message: 'is ambiguous', value: pathOf(url) });

/** For Fastify's `frameworkErrors`: the router refuses a path that cannot be decoded before any hook has run. */
export const refuseBadUrl = (_error: unknown, { url }: FastifyRequest, reply: FastifyReply) =>
  void sendProblem(reply, isUrlTooLong(url) ? new UriTooLong() : ambiguousPath(url));

/**
 * The part of a request's framing that two servers could read in two ways. The parser has refused the crudest already:
 * both lengths at once, two lengths, broken chunks.
 */
function ambiguousField({ headers, rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  if (httpVersionMajor !== 1) return 'version';
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersionMinor === 0))
    return 'transfer-encoding';
  if (headers.host === undefined) return httpVersionMinor > 0 ? 'host' : undefined;
  return hostname.test(headers.host) && countHeader(rawHeaders, 'host') === 1 ? undefined : 'host';
}

/** How often a header was sent; Node's own view keeps only the first of some. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) times += 1;
  return times;
}
