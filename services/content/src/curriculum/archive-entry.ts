import { PassThrough, pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import type { RangeReader, RangeSource } from './range-reader.ts';

/** Where an entry is in its archive, and what the directory of the archive says about it. */
export interface EntryPlace {
  offset: number;
  isCompressed: boolean;
  compressedSize: number;
  size: number;
  checksum: number;
}

const localHeaderBytes = 30;
const localHeaderSignature = 0x04034b50;
const inflate = promisify(inflateRaw);

/** Reads entries of an archive. Each read fails if the bytes differ in size or checksum from what the directory says. */
export function createEntryReader(source: RangeSource, { read }: RangeReader) {
  async function findStart({ offset, compressedSize }: EntryPlace): Promise<number> {
    const header = await read(offset, localHeaderBytes);
    if (header.readUInt32LE(0) !== localHeaderSignature) throw new Error('invalid local file header');
    const start = offset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (start + compressedSize > source.size) throw new Error('the entry goes beyond the end of the file');
    return start;
  }

  return {
    /** For small entries: those next to each other are read with one request. */
    async read(place: EntryPlace): Promise<Buffer> {
      const { isCompressed, compressedSize, size, checksum } = place;
      const stored = await read(await findStart(place), compressedSize);
      const maxOutputLength = Math.max(1, size);
      const chunkSize = Math.max(64, Math.min(size, 64 * 1024));
      const bytes = isCompressed ? await inflate(stored, { maxOutputLength, chunkSize }) : stored;
      if (bytes.length !== size || crc32(bytes) !== checksum) throw differs();
      return bytes;
    },

    /** For entries of any size. `toError` makes the failure that its reader gets from the one that happened. */
    async open(place: EntryPlace, toError: (cause: unknown) => Error): Promise<Readable> {
      const start = await findStart(place);
      // There is no range of no bytes.
      const stored =
        place.compressedSize === 0 ? Readable.from([]) : await source.open(start, start + place.compressedSize);
      const decoded = place.isCompressed ? createInflateRaw() : new PassThrough();
      // A failure may come before anyone reads. Without a listener, it would end the process.
      const checked = checkBytes(place, toError)
        .on('error', () => undefined)
        .once('close', () => stored.destroy());
      pipeline(stored, decoded, (cause) => {
        if (cause) checked.destroy(toError(cause));
      });
      return decoded.pipe(checked);
    },
  };
}

function checkBytes({ size, checksum }: EntryPlace, toError: (cause: unknown) => Error) {
  let count = 0;
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      count += chunk.length;
      sum = crc32(chunk, sum);
      done(count > size ? toError(differs()) : null, chunk);
    },
    flush: (done) => done(count !== size || sum !== checksum ? toError(differs()) : null),
  });
}

const differs = () => new Error('its bytes differ in size or checksum from what the archive says');
