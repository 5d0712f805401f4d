import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import type { Storage } from '../storage.ts';
import { deleteDiscarded } from './discard-object.ts';
import { objectRepository } from './repository.ts';
import { createKey } from './store-file.ts';
import type { Kind, TopicObject } from './table.ts';

export interface DerivedFile {
  kind: Extract<Kind, 'rendition' | 'poster' | 'sprite'>;
  path: string;
  fileName: string;
  mimeType: string;
}

/** Stores files that were made from a video. Like uploads, they have leases until the job ends. */
export function createDerivedObjects(db: Db, storage: Storage, video: TopicObject) {
  const stored: string[] = [];

  return {
    /** @returns the id of the object, which nothing can read until it is finalized */
    async store({ kind, path, fileName, mimeType }: DerivedFile, signal: AbortSignal): Promise<string> {
      const id = createId();
      const key = createKey(kind);
      const { topicId, uploadedBy } = video;
      await objectRepository(db).insert({ id, kind, key, fileName, uploadedBy, topicId, derivedFrom: video.id });
      stored.push(id);
      const hash = createHash('sha256');
      let size = 0;
      async function* read(): AsyncGenerator<Buffer> {
        for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1_024 })) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      }
      await storage.put(key, read(), {
        signal,
        onMultipart: (multipartId) => objectRepository(db).setMultipartId(id, multipartId),
      });
      const properties = { size, checksum: `sha256:${hash.digest('hex')}`, mimeType };
      if (!(await objectRepository(db).describeDerived(id, properties))) {
        // Its lease had ended, and the reaper has deleted it, possibly before its bytes were stored.
        await storage.remove(key);
        throw new Error(`Object ${id} was discarded while it was stored`);
      }
      return id;
    },

    renewLeases: async () => {
      if (stored.length > 0) await objectRepository(db).renewLeases(stored);
    },

    /** Makes all of them readable. Call it in the transaction that ends the job. */
    finalize: (tx: Db) => objectRepository(tx).finalizeDerived(stored),

    /**
     * Deletes those that are not finalized: the job may have ended although this process did not learn it. What cannot be
     * deleted now is left to the reaper.
     */
    async discard() {
      for (const id of stored)
        await objectRepository(db)
          .discardReceiving(id)
          .then((object) => object && deleteDiscarded(db, storage, object))
          .catch(() => undefined);
    },
  };
}
export type DerivedObjects = ReturnType<typeof createDerivedObjects>;
