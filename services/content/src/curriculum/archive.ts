import type { Readable } from 'node:stream';
import { normalizeText } from '@lms/service/normalize-text';
import { type Entry, fromRandomAccessReaderPromise, validateFileName, type ZipFile } from 'yauzl';
import { createEntryReader, type EntryPlace } from './archive-entry.ts';
import { createRangeReader, type RangeSource, toRandomAccessReader } from './range-reader.ts';
import type { Issue } from './read-items.ts';

export const archiveLimits = { entries: 20_000, ratio: 200, bytes: 2 * 1024 ** 3 };
// Texts of some kilobytes may compress better without being an attack.
const smallBytes = 64 * 1024;

export interface ArchiveEntry {
  name: string;
  size: number;
  /** Of its bytes in the archive. */
  compressedSize: number;
  /** Fails if the bytes differ in size or checksum from what the archive says. */
  open: () => Promise<Readable>;
  /** All bytes of a small file. */
  read: () => Promise<Buffer>;
}

/** The files of an opened ZIP archive, by their paths, which are normalized like all text. */
export interface Archive {
  entries: Pick<ReadonlyMap<string, ArchiveEntry>, 'has' | 'get' | 'keys'>;
}

/** The archive is refused; `entry` is the name of the entry that is the reason. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused';
  readonly entry: string;
  readonly code: string;
  constructor(message: string, entry = '', code = 'REFUSED_ARCHIVE') {
    super(message);
    this.entry = entry;
    this.code = code;
  }
  get issue(): Issue {
    const shown = this.entry.slice(0, 200).toWellFormed();
    const message = shown === '' ? this.message : `${shown}: ${this.message}`;
    return { severity: 'error', location: '', code: this.code, message };
  }
}

/** Opens a ZIP and checks all its entries before any of them is read. @throws ArchiveRefused */
export async function openArchive(source: RangeSource): Promise<Archive> {
  if (source.size > archiveLimits.bytes) throw new ArchiveRefused('The archive is larger than 2 GiB');
  const options = { autoClose: false, decodeStrings: false };
  const reader = createRangeReader(source);
  const zip = await fromRandomAccessReaderPromise(toRandomAccessReader(reader), source.size, options).catch(refuse);
  try {
    if (zip.entryCount > archiveLimits.entries)
      throw new ArchiveRefused(`The archive has more than ${archiveLimits.entries} entries`);
    const places = await listEntries(zip, source.size);
    const toEntry = createToEntry(createEntryReader(source, reader));
    const get = (name: string) => {
      const place = places.get(name);
      return place && toEntry(name, place);
    };
    return { entries: { get, has: (name) => places.has(name), keys: () => places.keys() } };
  } catch (cause) {
    throw cause instanceof ArchiveRefused ? cause : refuse(cause);
  } finally {
    zip.close();
  }
}

const createToEntry =
  (reader: ReturnType<typeof createEntryReader>) =>
  (name: string, place: EntryPlace): ArchiveEntry => {
    const toRefusal = (cause: unknown) => refusalOf(cause, name);
    return {
      ...{ name, size: place.size, compressedSize: place.compressedSize },
      open: () => reader.open(place, toRefusal).catch((cause: unknown) => refuse(cause, name)),
      read: () => reader.read(place).catch((cause: unknown) => refuse(cause, name)),
    };
  };

/** Only what is needed to read an entry: there may be thousands, and their directory entries are large. */
async function listEntries(zip: ZipFile, archiveBytes: number) {
  const entries = new Map<string, EntryPlace>();
  let total = 0;
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    count += 1;
    if (count > archiveLimits.entries)
      throw new ArchiveRefused(`The archive has more than ${archiveLimits.entries} entries`);
    // Macs write names in another normalization form than the text that names the files.
    const name = normalizeText(checkName(entry));
    checkEntry(entry, name);
    total += entry.uncompressedSize;
    if (total > archiveLimits.ratio * archiveBytes)
      throw new ArchiveRefused('The archive expands to more than 200 times its size', name);
    if (entries.has(name)) throw new ArchiveRefused('The name occurs twice', name);
    if (name.endsWith('/')) continue;
    entries.set(name, {
      offset: entry.relativeOffsetOfLocalHeader,
      isCompressed: entry.isCompressed(),
      compressedSize: entry.compressedSize,
      size: entry.uncompressedSize,
      checksum: entry.crc32,
    });
  }
  return entries;
}

function checkName(entry: Entry): string {
  let name = '';
  try {
    name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(entry.fileNameRaw);
  } catch {
    throw new ArchiveRefused('Names must be UTF-8', entry.fileNameRaw.toString('latin1'));
  }
  const problem = validateFileName(name);
  if (problem !== null) throw new ArchiveRefused('Names must be relative paths without ".." and backslashes', name);
  if (name === '' || name.includes('\0') || name.length > 1_024)
    throw new ArchiveRefused('The name is not valid', name);
  return name;
}

const fileTypeMask = 0o170000;
const unixTypes = [0, 0o100000, 0o040000];

function checkEntry(entry: Entry, name: string) {
  const type = (entry.externalFileAttributes >>> 16) & fileTypeMask;
  if (!unixTypes.includes(type)) throw new ArchiveRefused('Links and special files are not allowed', name);
  if (entry.isEncrypted()) throw new ArchiveRefused('Encrypted entries are not allowed', name);
  if (!entry.canDecodeFileData()) throw new ArchiveRefused('The compression method is not supported', name);
  const { compressedSize, uncompressedSize } = entry;
  if (uncompressedSize > smallBytes && uncompressedSize > archiveLimits.ratio * compressedSize)
    throw new ArchiveRefused('The entry expands to more than 200 times its size', name);
}

function refuse(cause: unknown, entry = ''): never {
  throw refusalOf(cause, entry);
}

// Failures of the storage are not the archive's.
function refusalOf(cause: unknown, entry: string): Error {
  if (cause instanceof Error && (cause instanceof ArchiveRefused || 'statusCode' in cause)) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ArchiveRefused(`The archive cannot be read: ${message.slice(0, 200)}`, entry, 'INVALID_ARCHIVE');
}

/** Reads a file completely. @throws ArchiveRefused if it is larger */
export async function readEntry({ name, size, compressedSize, read }: ArchiveEntry, maxBytes: number): Promise<Buffer> {
  if (Math.max(size, compressedSize) > maxBytes)
    throw new ArchiveRefused(`The file is larger than ${maxBytes} bytes`, name);
  return read();
}
