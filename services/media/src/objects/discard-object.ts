import type { Db } from '@lms/database/connect';
import type { Storage } from '../storage.ts';
import { objectRepository } from './repository.ts';
import type { StoredObject } from './table.ts';

/** Gives up an object for good; what does not go at once stays in the queue. */
export async function discardObject(db: Db, storage: Storage, id: string) {
  const discarded = await objectRepository(db).discard(id);
  if (discarded) await deleteDiscardedObject(db, storage, discarded);
}

/** Takes a discarded object out of storage, then out of the books. */
export async function deleteDiscardedObject(db: Db, storage: Storage, { id, key, multipartId }: StoredObject) {
  await storage.remove(key, multipartId ?? undefined);
  await objectRepository(db).deleteDiscarded(id);
}
