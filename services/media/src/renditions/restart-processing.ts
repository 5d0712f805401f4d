import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { FeatureDeps } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';
import { appendVideoProgressed } from './events.ts';
import { renditionRepository } from './repository.ts';

/** Queues a video whose processing has failed. Returns undefined for any other. */
export const restartProcessing = (
  { objects, readVideo }: Pick<FeatureDeps, 'objects' | 'readVideo'>,
  db: Db,
  topicId: string,
  video: StoredObject,
  cause: Cause,
) =>
  db.transaction(async (tx) => {
    await objects.repository(tx).lockTopic(topicId);
    const restarted = await renditionRepository(tx).restartFailed(video.id);
    if (restarted) await appendVideoProgressed(tx, topicId, await readVideo(tx, video), cause);
    return restarted;
  });
