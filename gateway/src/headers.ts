import type { IncomingHttpHeaders } from 'node:http';
import { passportHeader } from '@lms/contracts/passport';
import { requestIdHeader } from '@lms/service/request-id';
import type { FastifyReply } from 'fastify';

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

/** The headers of a client that are forwarded; those that describe a body only if there is one. */
export function forwardRequestHeaders(headers: IncomingHttpHeaders, hasBody: boolean): IncomingHttpHeaders {
  const forwarded: IncomingHttpHeaders = {};
  for (const name in headers) {
    // Some servers treat underscores as hyphens.
    const plain = name.includes('_') ? name.replaceAll('_', '-') : name;
    if (droppedFromRequests.has(plain) || reserved.test(plain)) continue;
    if (!hasBody && describesBody(name, headers[name])) continue;
    forwarded[name] = headers[name];
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

/** Names another request header on which the response depends. */
export function addVary(reply: FastifyReply, name: string) {
  const names = reply.getHeader('vary');
  reply.header('vary', names ? `${names}, ${name}` : name);
}
