import cors from '@fastify/cors';
import { requestIdHeader } from '@lms/service/request-id';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { basePathOf, type Config, type Options } from '../config.ts';

const exposedHeaders =
  'ETag, Link, Content-Disposition, Content-Range, Accept-Ranges, Idempotency-Replayed, Retry-After, X-Request-Id, ' +
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Limit, X-Quota-Remaining, X-Quota-Reset, ' +
  'Location, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, Tus-Resumable, Tus-Version, Tus-Extension, ' +
  'Tus-Max-Size, Tus-Checksum-Algorithm';
// Libraries for uploads send Cache-Control and X-Requested-With unasked, those for traces tracestate and baggage, and clients
// that Kiota generates User-Agent and Retry-Attempt.
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id, traceparent, ' +
  'tracestate, baggage, Cache-Control, X-Requested-With, ' +
  'User-Agent, Retry-Attempt, ' +
  'Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, Upload-Checksum';
const loopbackOrigin = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const strictPolicy = "default-src 'none'; frame-ancestors 'none'";

/**
 * Sets the headers of every response: request id, CORS, security and caching. @fastify/helmet composes its middlewares for
 * each request; these few headers never change.
 */
export const browserHeaders = fp(async (app, { config }: Options) => {
  const security = securityHeaders(config);
  const basePath = basePathOf(config);
  const addresses = basePath ? ['location', 'link'] : [];
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(security).header(requestIdHeader, request.id);
    // A proxy may have removed the path of PUBLIC_URL, which clients need in addresses.
    for (const name of addresses)
      if (reply.hasHeader(name))
        reply.header(name, String(reply.getHeader(name)).replaceAll(/(^|<)(?=\/)/g, `$1${basePath}`));
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', strictPolicy);
    if (!reply.hasHeader('cache-control'))
      reply.header('cache-control', cacheControl(reply.statusCode, request.principal !== null));
    done(null, payload);
  });

  if (config.CORS_ORIGINS.length === 0) return;
  const origins = new Set(config.CORS_ORIGINS.map(normalizeOrigin));
  const isAllowed = (origin = '') => origins.has(origin) || (origins.has('loopback') && loopbackOrigin.test(origin));
  app.register(cors, {
    // An origin that is not listed gets no header at all, which makes the browser refuse the response.
    origin: (origin, done) => done(null, isAllowed(origin) ? (origin ?? false) : false),
    // OPTIONS is counted like any other request, and its own route says what a path allows.
    preflightContinue: true,
    strictPreflight: false,
    exposedHeaders,
    allowedHeaders,
    maxAge: 600,
  });
});

/** As browsers send it: in lower case, and without the default port. */
const normalizeOrigin = (origin: string) => (origin === 'loopback' ? origin : new URL(origin).origin);

const securityHeaders = ({ PUBLIC_URL }: Config) => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  ...(new URL(PUBLIC_URL).protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
});

const cacheControl = (status: number, isPersonal: boolean) =>
  status >= 400 ? 'no-store' : isPersonal ? 'private, no-cache' : 'no-cache';

/** Names another request header on which the response depends. */
export function addVary(reply: FastifyReply, name: string) {
  const names = reply.getHeader('vary');
  reply.header('vary', names ? `${names}, ${name}` : name);
}
