import { PassThrough, pipeline, type Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { RandomAccessReader } from 'yauzl';

/** Bytes that can be read from any position. `end` is exclusive. */
export interface RangeSource {
  size: number;
  open: (start: number, end: number) => Promise<Readable>;
}

const blockBytes = 256 * 1024;
const maxBlocks = 16;

/** Reads of a few bytes, as those of the central directory, come from cached blocks; entries are streamed. */
export function createRangeReader({ size, open }: RangeSource): RandomAccessReader {
  const blocks = new LRUCache<number, Promise<Buffer>>({ max: maxBlocks });

  async function readBlock(index: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const start = index * blockBytes;
    for await (const chunk of await open(start, Math.min(size, start + blockBytes))) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  function blockAt(index: number): Promise<Buffer> {
    const known = blocks.get(index);
    if (known) return known;
    const block = readBlock(index);
    block.catch(() => blocks.delete(index));
    blocks.set(index, block);
    return block;
  }
  async function copy(buffer: Buffer, offset: number, length: number, position: number) {
    for (let copied = 0; copied < length; ) {
      const at = position + copied;
      const block = await blockAt(Math.floor(at / blockBytes));
      const read = block.copy(buffer, offset + copied, at % blockBytes, (at % blockBytes) + length - copied);
      if (read === 0) throw new Error('unexpected end of file');
      copied += read;
    }
  }

  return new (class extends RandomAccessReader {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ) {
      copy(buffer, offset, length, position).then(() => callback(null), callback);
    }
    override _readStreamForRange(start: number, end: number) {
      const stream = new PassThrough();
      open(start, end).then(
        (bytes) => pipeline(bytes, stream, () => undefined),
        (cause) => stream.destroy(cause),
      );
      return stream;
    }
    override close(callback: (error: Error | null) => void) {
      callback(null);
    }
  })();
}
