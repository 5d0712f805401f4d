import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { UploadTooLarge } from '../errors.ts';
import { emptyFile, malformedHeader, NotOffsetStream, tusVersion, wrongVersion } from './errors.ts';

const offsetStream = 'application/offset+octet-stream';
export const checksumAlgorithms = ['sha1', 'sha256'] as const;

export interface Checksum {
  algorithm: (typeof checksumAlgorithms)[number];
  /** Base64. */
  digest: string;
}

// Extensions of tus. A part of a concatenation must not be taken for a whole file.
const unsupported = ['Upload-Defer-Length', 'Upload-Concat'];
// A response repeats it, and headers of more than 8 KiB are refused by many clients and proxies.
export const maxMetadataLength = 6 * 1_024;
const digestBytes = { sha1: 20, sha256: 32 };
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws 412 */
export function requireTus(headers: IncomingHttpHeaders) {
  if (headers['tus-resumable'] !== tusVersion) throw wrongVersion();
}

const textOf = (value: string | string[] | undefined) => (value === undefined ? undefined : String(value));
const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the request sends bytes of the file. @throws 415 */
export function sendsBytes({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const mustSend = method === 'PATCH';
  const isStream = headers['content-type']?.split(';')[0]?.trim().toLowerCase() === offsetStream;
  if ((mustSend || hasBody(headers)) && !isStream) throw new NotOffsetStream();
  return mustSend || hasBody(headers);
}

function parseCount(field: string, value: string | string[] | undefined): number {
  const text = textOf(value);
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw malformedHeader(field, 'must be a number of bytes', text);
  return Number(text);
}

/** @throws 400, 413 or 422 */
export function lengthOf(headers: IncomingHttpHeaders, maxBytes: number): number {
  for (const field of unsupported) {
    const value = textOf(headers[field.toLowerCase()]);
    if (value !== undefined) throw malformedHeader(field, 'is not supported', value);
  }
  const length = parseCount('Upload-Length', headers['upload-length']);
  if (length > maxBytes) throw new UploadTooLarge({ details: { maxBytes } });
  if (length === 0) throw emptyFile();
  return length;
}

/** @throws 400 */
export const offsetOf = (headers: IncomingHttpHeaders) => parseCount('Upload-Offset', headers['upload-offset']);

/** The header, and the texts by their names. @throws 400 */
export function metadataOf(headers: IncomingHttpHeaders) {
  const header = textOf(headers['upload-metadata']) ?? '';
  const malformed = (message: string) => malformedHeader('Upload-Metadata', message, header);
  if (header.length > maxMetadataLength) throw malformed('is too long');
  const texts = new Map<string, string>();
  for (const pair of header.trim() === '' ? [] : header.split(',')) {
    const [name = '', value = '', ...rest] = pair.trim().split(' ');
    if (name === '' || rest.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw malformed('must be pairs of a name and a Base64 value');
    if (texts.has(name)) throw malformed(`contains ${name} more than once`);
    try {
      texts.set(name, utf8.decode(Buffer.from(value, 'base64')));
    } catch {
      throw malformed(`contains a value of ${name} that is not UTF-8`);
    }
  }
  return { header, texts };
}

/** @throws 400 */
export function checksumOf(headers: IncomingHttpHeaders): Checksum | undefined {
  const header = textOf(headers['upload-checksum']);
  if (header === undefined) return undefined;
  const [name = '', value = '', ...rest] = header.trim().split(' ');
  const algorithm = checksumAlgorithms.find((known) => known === name);
  if (!algorithm)
    throw malformedHeader('Upload-Checksum', `must begin with ${checksumAlgorithms.join(' or ')}`, header);
  const digest = Buffer.from(value, 'base64');
  if (rest.length > 0 || digest.length !== digestBytes[algorithm])
    throw malformedHeader('Upload-Checksum', `must contain a ${algorithm} digest in Base64`, header);
  return { algorithm, digest: digest.toString('base64') };
}
