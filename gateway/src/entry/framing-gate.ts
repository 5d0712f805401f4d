import type { IncomingMessage } from 'node:http';
import { BadRequest } from '@lms/server/problems';

/**
 * Refuses requests whose end, or whose host, two servers could see in different places.
 * The parser has refused the crudest already: both lengths at once, two lengths, broken chunks.
 */
export function checkFraming({ headers, rawHeaders, httpVersionMinor }: IncomingMessage) {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersionMinor === 0))
    throw refused('transfer-encoding');
  if (headers.host === undefined) {
    if (httpVersionMinor > 0) throw refused('host');
  } else if (count(rawHeaders, 'host') > 1) throw refused('host');
}

/** How often a header was sent; node's own view keeps only the first of some. */
export function count(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) times += 1;
  }
  return times;
}

const refused = (field: string) =>
  new BadRequest({ details: { field, message: 'is missing, doubled or not supported', value: null } });
