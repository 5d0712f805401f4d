import { PreconditionFailed } from '@lms/service/problems';
import type { ByteRange } from '../storage.ts';
import { parseRange } from './byte-ranges.ts';
import { type Conditions, evaluateConditions, mayResume } from './conditions.ts';
import { contentDisposition, isInline } from './content-disposition.ts';
import { RangeNotSatisfiable } from './errors.ts';
import type { Downloadable } from './table.ts';

export interface DownloadRequest {
  method: string;
  headers: Conditions & { range?: string | undefined };
  asAttachment: boolean;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

export interface Download {
  status: 200 | 206 | 304;
  headers: Record<string, string>;
  /** The bytes to send; undefined for HEAD and 304. */
  range: ByteRange | undefined;
}

/** Determines the status and headers of a download without reading from storage. @throws 412 and 416 */
export function describeDownload(
  object: Downloadable,
  { method, headers: conditions, asAttachment }: DownloadRequest,
): Download {
  const validators = { etag: `"${object.checksum.replace('sha256:', '')}"`, lastModified: object.uploadedAt };
  const common = {
    etag: validators.etag,
    'last-modified': object.uploadedAt.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': object.cacheControl ?? 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
  const result = evaluateConditions(conditions, validators);
  if (result === 412) throw new PreconditionFailed();
  if (result === 304) return { status: 304, headers: common, range: undefined };

  const { mimeType, size } = object;
  const inline = !asAttachment && isInline(mimeType);
  const full = {
    ...common,
    'content-type': mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
    'content-disposition': contentDisposition(inline ? 'inline' : 'attachment', object.fileName),
    'content-length': String(size),
  };
  if (method === 'HEAD') return { status: 200, headers: full, range: undefined };

  const range = mayResume(conditions['if-range'], validators) ? parseRange(conditions.range, size) : undefined;
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable({ headers: { 'content-range': `bytes */${size}` } });
  if (!range) return { status: 200, headers: full, range: { start: 0, end: size - 1 } };
  const partial = {
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
    'content-length': String(range.end - range.start + 1),
  };
  return { status: 206, headers: { ...full, ...partial }, range };
}
