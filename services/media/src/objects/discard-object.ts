import type { Db } from '@lms/database/connect';
import type { Storage } from '../storage.ts';
import { objectRepository } from './repository.ts';
import type { StoredObject } from './table.ts';

/** Discards an object and deletes it. If the deletion fails, the reaper retries it. */
export async function discardObject(db: Db, storage: Storage, { id, key }: Pick<StoredObject, 'id' | 'key'>) {
  const discarded = await objectRepository(db).discard(id);
  if (discarded) await deleteDiscarded(db, storage, discarded);
  // Its lease had ended, and the reaper has deleted it, possibly before its bytes were stored.
  else await storage.remove(key);
}

/** Deletes a discarded object from storage, then its row. What was derived from it is discarded first. */
export async function deleteDiscarded(db: Db, storage: Storage, { id, key, multipartId }: StoredObject) {
  await objectRepository(db).discardDerived(id);
  await storage.remove(key, multipartId ?? undefined);
  await objectRepository(db).deleteDiscarded(id);
}
