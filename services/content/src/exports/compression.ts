import { pipeline, Readable } from 'node:stream';
import { createDeflateRaw } from 'node:zlib';
import { archiveLimits } from '../curriculum/archive.ts';

export type TextParts = AsyncIterable<string> | string[];

// Below the limit of imports, so that every export can be imported.
const maxRatio = archiveLimits.ratio / 2;
// The headers of an entry have more than a hundredth of this.
const smallBytes = 12_000;

/**
 * Whether a text of at most `maxBytes` compresses so well that an import would take it for an attack. It is compressed only
 * up to the size at which it cannot: a few percent of a usual text.
 */
export async function compressesTooWell(parts: TextParts, maxBytes: number): Promise<boolean> {
  if (maxBytes <= smallBytes) return false;
  let bytes = 0;
  let compressed = 0;
  async function* counted() {
    for await (const part of parts) {
      bytes += Buffer.byteLength(part);
      yield part;
    }
  }
  const deflate = createDeflateRaw();
  // An error of the parts ends the loop below.
  pipeline(Readable.from(counted()), deflate, () => undefined);
  for await (const chunk of deflate) {
    compressed += chunk.length;
    if (compressed * maxRatio > maxBytes) return false;
  }
  return bytes > compressed * maxRatio;
}
