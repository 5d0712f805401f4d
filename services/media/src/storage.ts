import type { Readable } from 'node:stream';

/** Both ends are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface ListedObject {
  key: string;
  modifiedAt: Date;
}

export interface PutOptions {
  /** Called with the id of a multipart upload before its first part is sent: a crash leaves the upload open. */
  onMultipart?: (multipartId: string) => Promise<unknown>;
  signal?: AbortSignal;
}

/** Object storage. Each key (see `isKey`) is written once; an object exists completely or not at all. */
export interface Storage {
  /** Resolves when the object is durable. Otherwise cleans up and rejects with the error of `bytes` or a `StorageFailure`. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<void>;
  /** The stream must be read or destroyed. @throws ObjectMissing */
  open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable>;
  stat(key: string): Promise<{ size: number } | undefined>;
  /** Removes the object and anything an unfinished `put` left. Succeeds if there is nothing to remove. */
  remove(key: string, multipartId?: string): Promise<void>;
  /** The objects in storage, in batches. */
  list(): AsyncIterable<ListedObject[]>;
  /** Rejects with the reason unless objects can be read and written. */
  check(): Promise<void>;
  close(): void;
}

/** Keys are safe as file names, in URLs and in S3. */
export const isKey = (key: string) => /^[a-z0-9][a-z0-9-]{7,127}$/.test(key);

export function assertKey(key: string) {
  if (!isKey(key)) throw new Error('Not a storage key');
}

export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

/** The storage is unreachable, full or denies access; a later attempt may succeed. */
export class StorageFailure extends Error {
  override name = 'StorageFailure';
}
