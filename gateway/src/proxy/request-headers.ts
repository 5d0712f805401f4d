import { passportHeader } from '@lms/contracts/passport';
import { requestIdHeader } from '@lms/service/request-id';
import { traceparentHeader } from '@lms/telemetry/traceparent';
import type { Exchange } from '../exchange.ts';

/** Headers that belong to one connection, not to the message (RFC 9110 §7.6.1), and those that the gateway itself settles. */
const dropped = new Set([
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
const traceHeaders = [traceparentHeader, 'tracestate', 'baggage'];
const droppedFamilies = ['x-lms-', 'x-user-', 'x-forwarded-'];

export interface Onward {
  /** The client's address, as far as it is known for certain. */
  address: string;
  /** Undefined for anonymous callers. */
  passport: string | undefined;
  /** The gateway's public base URL. */
  publicUrl: URL;
  /** Set where traces are recorded; the client's own trace then ends here. */
  traceparent?: string | undefined;
  /** False drops what describes a body, for requests that are passed on without theirs. */
  hasBody: boolean;
}

/** What an upstream is told: the client's headers without those that could speak for us, and ours. */
export function requestHeaders(
  { incoming, requestId }: Exchange,
  { address, passport, publicUrl, hasBody, traceparent }: Onward,
) {
  const { rawHeaders, headers } = incoming;
  const named = namedByConnection(headers.connection);
  const onward: string[] = [
    requestIdHeader,
    requestId,
    'x-forwarded-for',
    address,
    'x-forwarded-proto',
    publicUrl.protocol.slice(0, -1),
    'x-forwarded-host',
    publicUrl.host,
  ];
  if (passport !== undefined) onward.push(passportHeader, passport);
  if (traceparent !== undefined) onward.push(traceparentHeader, traceparent);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (dropped.has(name) || isOfDroppedFamily(name) || named?.has(name)) continue;
    const value = rawHeaders[at + 1] ?? '';
    if (!hasBody && describesBody(name, value)) continue;
    if (traceparent !== undefined && traceHeaders.includes(name)) continue;
    onward.push(name, value);
  }
  return onward;
}

// Many clients name a type for the body that they do not send: forms and plain texts, which no service would take.
const describesBody = (name: string, value: string) =>
  name === 'content-length' || (name === 'content-type' && !/^(application\/json|multipart\/)/i.test(value));

// An underscore reads like a hyphen to some servers behind.
function isOfDroppedFamily(name: string): boolean {
  if (name[0] !== 'x') return false;
  const plain = name.includes('_') ? name.replaceAll('_', '-') : name;
  return dropped.has(plain) || droppedFamilies.some((family) => plain.startsWith(family));
}

/** The headers that a `Connection` header makes its own; undefined for the usual `keep-alive` and `close`. */
export function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || /^(keep-alive|close)$/i.test(connection)) return undefined;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}
