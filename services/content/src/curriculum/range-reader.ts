import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { RandomAccessReader } from 'yauzl';

/** Bytes that can be read from any position. `end` is exclusive. */
export interface RangeSource {
  size: number;
  open: (start: number, end: number) => Promise<Readable>;
}

/** Reads a few bytes from any position. */
export interface RangeReader {
  read: (position: number, length: number) => Promise<Buffer>;
}

const blockBytes = 256 * 1024;
const maxBlocks = 16;

/** Neighbouring bytes come from the same cached block: the directory and the small files of an archive, without a request for each. */
export function createRangeReader({ size, open }: RangeSource): RangeReader {
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

  return {
    async read(position, length) {
      if (position + length > size) throw new Error('unexpected end of file');
      const bytes = Buffer.allocUnsafe(length);
      for (let copied = 0; copied < length; ) {
        const at = position + copied;
        const block = await blockAt(Math.floor(at / blockBytes));
        const read = block.copy(bytes, copied, at % blockBytes, (at % blockBytes) + length - copied);
        if (read === 0) throw new Error('unexpected end of file');
        copied += read;
      }
      return bytes;
    },
  };
}

/** What yauzl reads the directory of an archive with. */
export const toRandomAccessReader = ({ read }: RangeReader): RandomAccessReader =>
  new (class extends RandomAccessReader {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ) {
      read(position, length).then((bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      }, callback);
    }
    override _readStreamForRange(): never {
      throw new Error('entries are not read through yauzl');
    }
    override close(callback: (error: Error | null) => void) {
      callback(null);
    }
  })();
