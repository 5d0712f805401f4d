import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest } from '@lms/service/problems';
import type { Exchange } from '../exchange.ts';

// Whatever follows on the connection of a refused request may be part of it.
const distrusted = new WeakSet<Socket>();

export const isDistrusted = ({ socket }: IncomingMessage) => distrusted.has(socket);

/**
 * Refuses requests whose end, or whose host, two servers could see in different places; their connection ends with it.
 * The parser has refused the crudest already: both lengths at once, two lengths, broken chunks.
 */
export function checkFraming(exchange: Exchange) {
  const flaw = flawOf(exchange.incoming);
  if (!flaw) return;
  exchange.endsConnection = true;
  distrusted.add(exchange.incoming.socket);
  throw badRequest({ field: flaw, message: 'is missing, doubled, malformed or not supported' });
}

function flawOf({ headers, rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage): string | undefined {
  if (httpVersionMajor !== 1) return 'version';
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersionMinor === 0))
    return 'transfer-encoding';
  if (headers.host === undefined) return httpVersionMinor > 0 ? 'host' : undefined;
  return hostname.test(headers.host) && count(rawHeaders, 'host') === 1 ? undefined : 'host';
}

// What RFC 3986 lets a host and its port be made of, so neither a space, a slash nor an @; it may be empty.
const hostname = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** How often a header was sent; node's own view keeps only the first of some. */
export function count(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) times += 1;
  }
  return times;
}
