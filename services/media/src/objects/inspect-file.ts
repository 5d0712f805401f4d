import { createHash } from 'node:crypto';
import { invalid } from '@lms/service/problems';
import { UploadTooLarge } from './errors.ts';
import type { FileProperties } from './repository.ts';

/** No known signature needs more. */
const headBytes = 8 * 1024;

export interface InspectOptions {
  bytes: AsyncIterable<Uint8Array>;
  /** The name of the form part, for the error of an empty file. */
  field: string;
  maxBytes: number;
  /** Returns the media type for the first bytes of a file, or throws to reject the file. */
  detectMimeType: (head: Buffer) => string;
  onBytes: (length: number) => void;
}

/** Passes the bytes of a file through, and determines its size, SHA-256 checksum and media type. */
export function inspectFile({ bytes, field, maxBytes, detectMimeType, onBytes }: InspectOptions) {
  const hash = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  let mimeType: string | undefined;

  async function* passThrough(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      onBytes(chunk.length);
      if (size > maxBytes) throw new UploadTooLarge({ details: { maxBytes } });
      if (mimeType === undefined) {
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
        if (head.length >= headBytes) mimeType = detectMimeType(head);
      }
      hash.update(chunk);
      yield chunk;
    }
    if (size === 0) throw invalid({ field, message: 'must not be empty' });
    mimeType ??= detectMimeType(head);
  }

  return {
    bytes: passThrough(),
    /** Valid once all bytes have been read. */
    properties: (): FileProperties => ({
      size,
      checksum: `sha256:${hash.digest('hex')}`,
      mimeType: mimeType ?? 'application/octet-stream',
    }),
  };
}
