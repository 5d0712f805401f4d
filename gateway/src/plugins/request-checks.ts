import type { IncomingMessage } from 'node:http';
import { handleClientError } from '@lms/service/client-error-handler';
import { badRequest, UriTooLong, unavailable } from '@lms/service/problems';
import { isUrlTooLong } from '@lms/service/url-length';
import { createCounter } from '@lms/telemetry/metrics';
import type { RawRequestDefaultExpression } from 'fastify';
import fp from 'fastify-plugin';
import type { Options } from '../config.ts';
import { methods } from '../routes.ts';

// A service may decode encoded dots, slashes and NULs in another way, and undici removes segments of one dot.
const suspicious = /%00|%2f|%5c|(?:\.|%2e){2}|\/(?:\.|%2e)(?:\/|$)|\/\/|\\|#/i;
const unprintable = /[^\x21-\x7e]/;
// The characters of a host and port in RFC 3986: no space (as between two hosts), no slash, no @. It may be empty.
const hostname = /^[\w.~!$&'()*+,;=%:[\]-]*$/;
const portOfAddress = /\[([^[\]]*)\](?::\d+)?|(\d{1,3}(?:\.\d{1,3}){3}):\d+/g;
const retryAfterSeconds = 1;

/** Refuses ambiguous requests, and further ones while too many are in flight. */
export const requestChecks = fp(async (app, { config, registry }: Options) => {
  const countOverload = createCounter(registry, { name: 'gateway_shed_total', help: 'Requests refused in overload' });
  // Whatever follows on the connection of an ambiguous request may be part of it.
  const distrusted = new WeakSet<object>();
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, originalUrl: url, policy } = request;
    if (distrusted.has(raw.socket)) return void reply.hijack();
    const field = ambiguousField(raw);
    if (field) {
      distrusted.add(raw.socket);
      reply.header('connection', 'close');
      return done(badRequest({ field, message: 'is missing, doubled, malformed or not supported' }));
    }
    if (isUrlTooLong(url)) return done(new UriTooLong());
    const path = pathOf(url);
    if (url !== raw.url || path[0] !== '/' || unprintable.test(url) || suspicious.test(path))
      return done(badRequest({ field: 'path', message: 'is ambiguous', value: path }));
    // Probes and documentation are not refused.
    if (app.requestsInFlight() <= config.MAX_REQUESTS_IN_FLIGHT || policy.limit === 'none') return done();
    countOverload();
    done(unavailable(undefined, retryAfterSeconds));
  });

  // Node emits CONNECT with a bare socket.
  const invalidMethod = Object.assign(new Error('CONNECT'), { code: 'HPE_INVALID_METHOD' });
  app.server.on('connect', (_incoming, socket) => handleClientError(invalidMethod, socket));
});

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

/**
 * For Fastify's `rewriteUrl`, before the router: it would refuse a path that cannot be decoded before any hook has run, and
 * find no path for a method that it does not know; TRACE stands for all of these, because no path has it. Tus clients whose
 * HTTP library cannot send PATCH send POST with the method in a header. Some proxies, such as Azure Application Gateway, add
 * ports to the addresses of clients.
 */
export function prepareForRouter(raw: RawRequestDefaultExpression): string {
  const { url = '', headers } = raw;
  const forwarded = headers['x-forwarded-for'];
  if (forwarded) headers['x-forwarded-for'] = String(forwarded).replaceAll(portOfAddress, '$1$2');
  const method = raw.method === 'POST' && url.includes('/uploads/') ? headers['x-http-method-override'] : undefined;
  if (method === 'PATCH' || method === 'DELETE') raw.method = method;
  if (!methods.includes(raw.method ?? '')) raw.method = 'TRACE';
  try {
    if (url.includes('%')) decodeURI(pathOf(url));
    return url;
  } catch {
    return '/undecodable';
  }
}

/** The header that makes the framing of a request ambiguous, where Node's parser accepts it. */
function ambiguousField({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage) {
  if (httpVersionMajor !== 1) return 'version';
  const { host, 'transfer-encoding': encoding } = headers;
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersionMinor === 0))
    return 'transfer-encoding';
  const isMissing = host === undefined && httpVersionMinor > 0;
  return isMissing || !hostname.test(host ?? '') ? 'host' : undefined;
}
