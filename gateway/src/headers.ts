import type { IncomingHttpHeaders } from 'node:http';
import { passportHeader } from '@lms/contracts/passport';
import { requestIdHeader } from '@lms/service/request-id';

/** Headers that belong to one connection, not to the message (RFC 9110 §7.6.1). */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];
/** What a client must not say in the gateway's name, and what the gateway settles itself. */
const droppedFromRequests = new Set([
  ...hopByHop,
  'expect',
  'host',
  'authorization',
  'forwarded',
  'via',
  'x-real-ip',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  requestIdHeader,
  passportHeader,
]);
const reserved = /^x-(?:lms|user|forwarded)-/;
const droppedFromResponses = new Set([...hopByHop, 'server', 'via', 'x-powered-by']);
// Who may read a response and how often one may ask is the gateway's to say; passports stay inside.
const reservedInResponses = /^(?:access-control|x-lms|x-ratelimit|x-quota)-/;

/** What a service may see of a client's headers. Without a body, what describes one is dropped too. */
export function forwardRequestHeaders(headers: IncomingHttpHeaders, hasBody: boolean): IncomingHttpHeaders {
  const forwarded: IncomingHttpHeaders = {};
  for (const name in headers) {
    // An underscore reads like a hyphen to some servers.
    const plain = name.includes('_') ? name.replaceAll('_', '-') : name;
    if (droppedFromRequests.has(plain) || reserved.test(plain)) continue;
    if (!hasBody && describesBody(name, headers[name])) continue;
    forwarded[name] = headers[name];
  }
  return forwarded;
}

// Many clients name a type for the body that they do not send: forms and plain texts, which no service would take.
const describesBody = (name: string, value: unknown) =>
  name === 'content-length' || (name === 'content-type' && !/^(application\/json|multipart\/)/i.test(String(value)));

/** What a client may see of a service's headers. */
export function forwardResponseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const connection = headers.connection?.toLowerCase().split(/[ ,]+/);
  const forwarded: IncomingHttpHeaders = {};
  for (const name in headers)
    if (!droppedFromResponses.has(name) && !reservedInResponses.test(name) && !connection?.includes(name))
      forwarded[name] = headers[name];
  return forwarded;
}
