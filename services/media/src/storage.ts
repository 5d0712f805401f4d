import type { Readable } from 'node:stream';

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface PutOptions {
  /** Told the id of a multipart upload before its first part is sent: a process that dies leaves that open. */
  onMultipart?: (multipartId: string) => Promise<unknown>;
  signal?: AbortSignal;
}

/** Where the bytes lie. Keys are ours (`isKey`), each is written once, and an object is there whole or not at all. */
export interface Storage {
  /** Resolves when the object is durable. Rejects with the source's own error, or with `StorageFailure`, and clears up. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<void>;
  /** @throws ObjectMissing before the first byte; the stream must be read or destroyed */
  open(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<{ size: number } | undefined>;
  /** Removes the object and whatever an unfinished `put` left; what is not there counts as removed. */
  remove(key: string, multipartId?: string): Promise<void>;
  /** Rejects, saying why, unless objects can be read and written. */
  check(): Promise<void>;
  close(): void;
}

/** Names that are safe as a file, in a URL and in S3. */
export const isKey = (key: string) => /^[a-z0-9][a-z0-9-]{7,127}$/.test(key);

export function assertKey(key: string) {
  if (!isKey(key)) throw new Error('Not a storage key');
}

/** The object is not there, though somebody thought so. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

/** The storage is out of reach, full or refuses us: worth another try later. */
export class StorageFailure extends Error {
  override name = 'StorageFailure';
}
