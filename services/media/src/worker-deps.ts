import type { VideoWithState } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { DerivedObjects } from './objects/derived-objects.ts';
import type { StoredObject, TopicObject } from './objects/table.ts';
import type { Storage } from './storage.ts';

/** What build-worker.ts passes to the processing of videos. */
export interface WorkerDeps {
  db: Db;
  storage: Storage;
  /** Stores what is made from a video. */
  deriveFrom: (video: TopicObject) => DerivedObjects;
  /** Call it within a transaction: serializes changes of a topic's video until that ends. */
  lockTopic: (tx: Db, topicId: string) => Promise<unknown>;
  /** Reads the full state of a video. Call it with the lock of its topic, after the change. */
  readVideo: (db: Db, video: StoredObject) => Promise<VideoWithState>;
}
