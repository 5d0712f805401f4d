import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { unavailable } from '@lms/service/problems';
import type { Storage } from '../storage.ts';
import { inspectFile } from './inspect-file.ts';
import { createKey } from './object-key.ts';
import { type FileProperties, objectRepository } from './repository.ts';
import type { Kind } from './table.ts';
import type { Upload } from './uploads.ts';

export interface Receive {
  kind: Kind;
  /** The name of the form part, for errors. */
  field: string;
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
  uploadedBy: string;
  maxBytes: number;
  inspect: (head: Buffer) => string;
  upload: Upload;
}
export type StoredFile = FileProperties & { id: string; key: string; fileName: string };

/** Brings bytes into storage under a new name that nobody can read yet. */
export async function storeFile(
  db: Db,
  storage: Storage,
  { kind, field, fileName, bytes, uploadedBy, maxBytes, inspect, upload }: Receive,
): Promise<StoredFile> {
  const id = createId();
  const key = createKey(kind);
  await objectRepository(db).insert({ id, kind, key, fileName, uploadedBy });
  upload.hold(id);
  const measured = inspectFile({ bytes, field, maxBytes, detectMimeType: inspect, onBytes: upload.note });
  await storage.put(key, measured.bytes, {
    signal: upload.signal,
    onMultipart: (multipartId) => objectRepository(db).setMultipartId(id, multipartId),
  });
  const result = measured.result();
  const stored = await storage.stat(key);
  if (stored?.size !== result.size)
    throw unavailable(new Error(`${key} has ${stored?.size} bytes in storage instead of ${result.size}`));
  return { id, key, fileName, ...result };
}
