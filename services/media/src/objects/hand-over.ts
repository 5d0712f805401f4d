import type { Db } from '@lms/database/connect';
import { unavailable } from '@lms/service/problems';
import { objectRepository } from './repository.ts';
import type { StoredFile } from './store-file.ts';
import type { StoredObject } from './table.ts';
import type { Upload } from './uploads.ts';

export interface HandOver {
  object: StoredFile;
  topicId: string;
  name?: string;
  description?: string;
  /** On whose behalf content is asked. */
  passport: string | undefined;
  upload: Upload;
}

// Content gives up on a statement after 15 s: later than this it has surely taken the object, or never will.
const settledAfterSeconds = 30;

/**
 * Has content take an object, and makes it readable when it has. `take` asks content, inside the transaction that also
 * makes it readable. A refusal leaves the object to its upload; an answer that did not come, to the reaper.
 */
export async function handOver<T>(
  db: Db,
  { object, topicId, name = '', description = '', passport, upload }: HandOver,
  take: (tx: Db, offered: StoredObject) => Promise<T>,
): Promise<T> {
  const { id, size, checksum, mimeType } = object;
  const offered = await objectRepository(db).markOffered(id, {
    size,
    checksum,
    mimeType,
    topicId,
    name,
    description,
    passport: passport ?? null,
  });
  if (!offered) throw unavailable(new Error(`${id} was cleared while its bytes came in`));
  try {
    const taken = await db.transaction((tx) => take(tx, offered));
    upload.release(id);
    return taken;
  } catch (error) {
    if (mayHaveBeenTaken(error)) {
      upload.release(id);
      await objectRepository(db)
        .postpone(id, settledAfterSeconds)
        .catch(() => undefined);
    }
    throw error;
  }
}

const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

// A refusal is content's own word; a connection that never came about carried nothing to it.
export function mayHaveBeenTaken(error: unknown): boolean {
  const { statusCode, cause } = Object(error);
  const isRefusal = typeof statusCode === 'number' && statusCode < 500;
  return !isRefusal && !neverSent.includes(Object(cause).code);
}
