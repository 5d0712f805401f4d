import { createHash } from 'node:crypto';
import { invalid } from '@lms/service/problems';
import { UploadTooLarge } from './errors.ts';
import type { FileProperties } from './repository.ts';

/** As many first bytes as any format needs to be told. */
const headBytes = 8 * 1024;

export interface InspectOptions {
  bytes: AsyncIterable<Uint8Array>;
  /** The name of the form part, for the error of an empty file. */
  field: string;
  maxBytes: number;
  /** Names the media type from the first bytes, or throws to refuse the file. */
  detectMimeType: (head: Buffer) => string;
  /** Told of every piece. */
  onBytes: (length: number) => void;
}

/** Passes bytes on, and knows their size, sha-256 and type when they have passed. */
export function inspectFile({ bytes, field, maxBytes, detectMimeType: inspect, onBytes: note }: InspectOptions) {
  const hash = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  let mimeType: string | undefined;

  async function* passing(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      note(chunk.length);
      if (size > maxBytes) throw new UploadTooLarge({ details: { maxBytes } });
      if (mimeType === undefined) {
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
        if (head.length >= headBytes) mimeType = inspect(head);
      }
      hash.update(chunk);
      yield chunk;
    }
    if (size === 0) throw invalid({ field, message: 'must not be empty' });
    mimeType ??= inspect(head);
  }

  return {
    bytes: passing(),
    /** What has passed, once all of it has. */
    result: (): FileProperties => ({
      size,
      checksum: `sha256:${hash.digest('hex')}`,
      mimeType: mimeType ?? 'application/octet-stream',
    }),
  };
}
