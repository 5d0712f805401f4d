import type { Db } from '@lms/database/connect';
import { appendDocumentRemoved } from './documents/events.ts';
import { toDocument } from './documents/presenter.ts';
import { objectRepository } from './objects/repository.ts';
import { uploadRepository } from './objects/resumable-uploads/repository.ts';
import { isObjectKey } from './objects/store-file.ts';
import type { StoredObject } from './objects/table.ts';
import { readVideo } from './read-video.ts';
import { appendVideoProgressed } from './renditions/events.ts';
import { renditionRepository } from './renditions/repository.ts';
import type { Storage } from './storage.ts';
import { appendVideoRemoved } from './videos/events.ts';

const dayMs = 86_400_000;
const batchSize = 200;

export interface ObjectCheck {
  /** Keys of objects in storage, older than a day, that no row names. */
  unreferenced: string[];
  /** Readable rows whose object is gone. */
  missing: StoredObject[];
}

/**
 * Compares storage with the database. Both differ only after one of them was restored or has lost data: a row is inserted
 * before the first byte is stored, and deleted after the object.
 */
export async function checkObjects(db: Db, storage: Storage): Promise<ObjectCheck> {
  const unreferenced: string[] = [];
  for await (const batch of storage.list()) {
    const old = batch.filter(({ key, modifiedAt }) => isObjectKey(key) && Date.now() - modifiedAt.getTime() > dayMs);
    const keys = old.map(({ key }) => key);
    if (keys.length > 0) unreferenced.push(...(await findUnreferenced(db, keys)));
  }

  const missing: StoredObject[] = [];
  for (let after = ''; ; ) {
    const rows = await objectRepository(db).listReadableAfter(after, batchSize);
    for (const row of rows) {
      if (await isMissing(db, storage, row)) missing.push(row);
      after = row.id;
    }
    if (rows.length < batchSize) return { unreferenced, missing };
  }
}

async function findUnreferenced(db: Db, keys: string[]): Promise<string[]> {
  const known = [await objectRepository(db).listKeys(keys), await uploadRepository(db).listPartKeys(keys)].flat();
  return keys.filter((key) => !known.includes(key));
}

/** The row is read last, because it may have been removed with the object. */
const isMissing = async (db: Db, storage: Storage, { key }: StoredObject) =>
  !(await storage.stat(key)) && (await objectRepository(db).findReadableByKey(key)) !== undefined;

/**
 * Deletes the unreferenced objects, and removes the entries of missing ones from their topics. Nothing brings them back,
 * except what was derived from a video: it is made again. Each is checked again, because it may have been restored since.
 */
export async function repairObjects(db: Db, storage: Storage, publicUrl: string): Promise<ObjectCheck> {
  const found = await checkObjects(db, storage);
  for (const key of found.unreferenced) if ((await findUnreferenced(db, [key])).length > 0) await storage.remove(key);
  for (const object of found.missing)
    await db.transaction(async (tx) => {
      if (!(await isMissing(tx, storage, object))) return;
      const { id, kind, topicId, derivedFrom } = object;
      if (derivedFrom !== null) return makeAgain(tx, topicId, derivedFrom);
      if (topicId === null || !(await objectRepository(tx).discard(id))) return;
      if (kind === 'video') await appendVideoRemoved(tx, topicId, object, null, {});
      else await appendDocumentRemoved(tx, topicId, toDocument(publicUrl, object), {});
    });
  return found;
}

async function makeAgain(tx: Db, topicId: string | null, videoId: string) {
  if (topicId === null) return;
  await objectRepository(tx).lockTopic(topicId);
  await objectRepository(tx).discardDerived(videoId);
  const restarted = await renditionRepository(tx).restartReady(videoId);
  const video = restarted && (await objectRepository(tx).findVideo(topicId));
  if (video?.id === videoId) await appendVideoProgressed(tx, topicId, await readVideo(tx, video));
}
