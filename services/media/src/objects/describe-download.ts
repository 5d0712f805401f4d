import { PreconditionFailed } from '@lms/service/problems';
import type { ByteRange } from '../storage.ts';
import { parseRange } from './byte-ranges.ts';
import { type Conditions, evaluateConditions, mayResume } from './conditions.ts';
import { contentDisposition, isInline } from './content-disposition.ts';
import { RangeNotSatisfiable } from './errors.ts';
import type { StoredObject } from './table.ts';

export interface DownloadRequest {
  method: string;
  headers: Conditions & { range?: string | undefined };
  /** True when the client wants to keep it rather than show it. */
  download: boolean;
}

export interface Download {
  status: 200 | 206 | 304;
  headers: Record<string, string>;
  /** The bytes to send; none for HEAD and 304. */
  range: ByteRange | undefined;
}

/** What an object is answered with, before storage is touched. @throws 412 and 416 */
export function describeDownload(
  object: StoredObject,
  { method, headers: asked, download }: DownloadRequest,
): Download {
  const validators = { etag: `"${object.checksum.replace('sha256:', '')}"`, lastModified: object.uploadedAt };
  const always = {
    etag: validators.etag,
    'last-modified': object.uploadedAt.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
  const verdict = evaluateConditions(asked, validators);
  if (verdict === 412) throw new PreconditionFailed();
  if (verdict === 304) return { status: 304, headers: always, range: undefined };

  const { mimeType, size } = object;
  const inline = !download && isInline(mimeType);
  const described = {
    ...always,
    'content-type': mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
    'content-disposition': contentDisposition(inline ? 'inline' : 'attachment', object.fileName),
    'content-length': String(size),
  };
  if (method === 'HEAD') return { status: 200, headers: described, range: undefined };

  const range = mayResume(asked['if-range'], validators) ? parseRange(asked.range, size) : undefined;
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable({ headers: { 'content-range': `bytes */${size}` } });
  if (!range) return { status: 200, headers: described, range: { start: 0, end: size - 1 } };
  const partial = {
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
    'content-length': String(range.end - range.start + 1),
  };
  return { status: 206, headers: { ...described, ...partial }, range };
}
