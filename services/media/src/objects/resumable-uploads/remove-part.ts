import type { ResumableDeps } from './deps.ts';
import { uploadRepository } from './repository.ts';

/** Deletes a stored piece, then its row. */
export async function removePart({ db, storage }: Pick<ResumableDeps, 'db' | 'storage'>, key: string) {
  await storage.remove(key);
  await uploadRepository(db).deletePart(key);
}

/** Deletes the pieces of an upload that has ended. The reaper deletes those that remain. */
export async function removeParts(deps: Pick<ResumableDeps, 'db' | 'storage'>, uploadId: string) {
  for (const { key } of await uploadRepository(deps.db).listParts(uploadId)) await removePart(deps, key);
}
