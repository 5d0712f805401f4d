import { createHash } from 'node:crypto';
import { matchesEtag } from '@lms/service/etags';
import { endAnswer } from '../answer.ts';
import { answerHeaders } from '../answer-headers.ts';
import type { Exchange } from '../exchange.ts';

/** Something that is sent as it is. */
export interface Asset {
  type: string;
  bytes: Buffer;
  etag: string;
}

export const asset = (type: string, content: string | Buffer): Asset => {
  const bytes = Buffer.from(content);
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
};

export interface Manner {
  /** What a browser may do with it. */
  policy: string;
  cacheControl?: string;
}

/** Sends an asset, or 304 to those who hold it already. */
export function sendAsset(
  exchange: Exchange,
  { type, bytes, etag }: Asset,
  { policy, cacheControl = 'no-cache' }: Manner,
) {
  const { incoming, outgoing } = exchange;
  const status = matchesEtag(incoming.headers['if-none-match'], etag) ? 304 : 200;
  const headers = answerHeaders(exchange, status);
  headers.push('etag', etag, 'cache-control', cacheControl, 'content-security-policy', policy);
  if (status === 200) headers.push('content-type', type, 'content-length', String(bytes.length));
  outgoing.writeHead(status, headers);
  // An asset is bytes as they are; HEAD and 304 carry none.
  endAnswer(exchange, status === 304 || incoming.method === 'HEAD' ? undefined : bytes);
}
