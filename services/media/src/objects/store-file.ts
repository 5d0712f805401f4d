import { randomBytes } from 'node:crypto';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { unavailable } from '@lms/service/problems';
import type { Storage } from '../storage.ts';
import { extensionOf, sanitizeFileName } from './file-name.ts';
import { inspectFile } from './inspect-file.ts';
import type { FilePart } from './read-form.ts';
import { type FileProperties, objectRepository } from './repository.ts';
import { sniffMimeType } from './sniff.ts';
import { type Kind, kinds } from './table.ts';
import type { Upload } from './uploads.ts';

export interface FileOptions {
  kind: Kind;
  /** A new one by default. */
  id?: string;
  /** Throws to reject a file before its bytes are read. */
  checkExtension?: (extension: string) => void;
  /** Returns the media type to store, given the sniffed one; throws to reject the file. */
  checkMimeType?: (extension: string, sniffed: string) => string;
}
export type StoredFile = FileProperties & { id: string; key: string; fileName: string };

/** Stores a file under a new random key. Nothing can read it before it is finalized. */
export async function storeFile(
  db: Db,
  storage: Storage,
  upload: Upload,
  part: FilePart,
  { kind, id = createId(), checkExtension, checkMimeType }: FileOptions,
): Promise<StoredFile> {
  const fileName = sanitizeFileName(part.fileName) || kind;
  const extension = extensionOf(fileName);
  checkExtension?.(extension);

  const key = createKey(kind);
  await objectRepository(db).insert({ id, kind, key, fileName, uploadedBy: upload.userId });
  upload.object = { id, key };
  const inspected = inspectFile({
    bytes: part.bytes,
    field: part.name,
    maxBytes: upload.maxBytes,
    detectMimeType(head) {
      const sniffed = sniffMimeType(head, extension);
      return checkMimeType?.(extension, sniffed) ?? sniffed;
    },
    onBytes: upload.bytesReceived,
  });
  await storage.put(key, inspected.bytes, {
    signal: upload.signal,
    onMultipart: (multipartId) => objectRepository(db).setMultipartId(id, multipartId),
  });
  const properties = inspected.properties();
  const stored = await storage.stat(key);
  if (stored?.size !== properties.size)
    throw unavailable(new Error(`${key} has ${stored?.size} bytes in storage instead of ${properties.size}`));
  return { id, key, fileName, ...properties };
}

/** An unguessable storage key that contains nothing sent by the client. */
export const createKey = (kind: Kind | 'part') => `${kind}-${randomBytes(20).toString('hex')}`;

const keyPattern = new RegExp(`^(${[...kinds, 'part'].join('|')})-[0-9a-f]{40}$`);

/** True for the keys that `createKey` creates: a bucket may contain objects of others. */
export const isObjectKey = (key: string) => keyPattern.test(key);
