import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { manifestPath } from '../curriculum/cartridge-format.ts';
import { pagePath, writeManifest, writePage } from '../curriculum/write-cartridge.ts';
import { compressesTooWell, type TextParts } from './compression.ts';
import type { MediaFile } from './item-files.ts';
import type { Snapshot } from './take-snapshot.ts';
import { writeCurriculum } from './write-curriculum.ts';

export interface ArchiveOptions {
  snapshot: Pick<Snapshot, 'items' | 'rootName' | 'bytes'>;
  /** What the identifier of a cartridge is made from. */
  key: string;
  openMedia: (file: MediaFile) => Promise<Readable>;
  signal: AbortSignal;
}

/** Escaped as XML, a character has up to six bytes; an item has up to a kilobyte of markup for its 150 bytes in the snapshot. */
const maxTextBytes = ({ bytes }: Pick<Snapshot, 'bytes'>) => 16 * bytes + 4_096;

/** The same in every time zone, so that the same items are the same bytes. ZIP has no earlier time. */
const entryTime = () => new Date(1980, 0, 1);

/** `curriculum.json` with its videos, captions and documents. */
export const writeZip = (options: ArchiveOptions) =>
  writeArchive(options, async (archive) => {
    const { snapshot } = options;
    await archive.addText('curriculum.json', () => writeCurriculum(snapshot.items()), maxTextBytes(snapshot));
    for await (const { files } of snapshot.items()) await archive.addFiles(files);
  });

/** A Common Cartridge. */
export const writeCartridge = (options: ArchiveOptions) =>
  writeArchive(options, async (archive) => {
    const { snapshot, key } = options;
    const title = snapshot.rootName ?? 'Curriculum';
    const manifest = () => writeManifest({ title, key, items: snapshot.items });
    await archive.addText(manifestPath, manifest, maxTextBytes(snapshot));
    let topicNumber = 0;
    for await (const item of snapshot.items()) {
      if (item.kind !== 'topic') continue;
      topicNumber += 1;
      const page = writePage(item);
      await archive.addText(pagePath(topicNumber), () => [page], Buffer.byteLength(page));
      await archive.addFiles(item.files);
    }
  });

interface Archive {
  /** `write` may be called twice. */
  addText: (path: string, write: () => TextParts, maxBytes: number) => Promise<void>;
  addFiles: (files: MediaFile[]) => Promise<void>;
}

/** Writes one entry after the other, while `bytes` is read; `written` settles when there are no more. */
function writeArchive({ openMedia, signal }: ArchiveOptions, write: (archive: Archive) => Promise<void>) {
  const zip = new ZipFile();
  const bytes = zip.outputStream.pipe(new PassThrough());

  // The ZIP file keeps the callbacks of all its entries to its end, so they must not refer to the text of an entry.
  let openNext: (() => Promise<Readable>) | undefined;

  const add = (path: string, compress: boolean, open: () => Promise<Readable>) => {
    openNext = open;
    return new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      zip.once('error', reject);
      const end = (error?: Error | null) => {
        signal.removeEventListener('abort', abort);
        zip.removeListener('error', reject);
        if (error) reject(error);
        else resolve();
      };
      const abort = () => end(signal.reason);
      signal.addEventListener('abort', abort);
      const options = { mtime: entryTime(), mode: 0o100644, forceDosTimestamp: true, compress };
      zip.addReadStreamLazy(path, options, (callback) => {
        openNext?.().then((stream) => {
          stream.once('error', end);
          stream.once('end', end);
          callback(null, stream);
        }, end);
        openNext = undefined;
      });
    });
  };

  const archive: Archive = {
    async addText(path, write, maxBytes) {
      const isCompressed = !(await compressesTooWell(write(), maxBytes));
      await add(path, isCompressed, async () => Readable.from(encode(write()), { objectMode: false }));
    },
    async addFiles(files) {
      for (const file of files) await add(file.path, false, () => openMedia(file));
    },
  };
  const written = write(archive).then(
    () => zip.end(),
    (error: unknown) => {
      bytes.destroy(error instanceof Error ? error : new Error('The archive was not written', { cause: error }));
      throw error;
    },
  );
  return { bytes, written };
}

/** Buffers of their own. Small ones of Node.js share memory, here with the names of the entries, which stay to the end. */
async function* encode(parts: TextParts): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(part);
}
