import { videoRemoved, videoUploaded } from '@lms/contracts/events/media';
import type { TopicVideo } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import type { StoredObject } from '../objects/table.ts';
import { toVideo } from './presenter.ts';

export const appendVideoUploaded = (tx: Db, topicId: string, video: StoredObject, cause: Cause) =>
  appendEvent(tx, videoUploaded, { aggregateId: video.id, data: { ...toVideo(video), topicId }, cause });

/** @param current the video of the topic from now on */
export const appendVideoRemoved = (
  tx: Db,
  topicId: string,
  video: StoredObject,
  current: TopicVideo | null,
  cause: Cause,
) => appendEvent(tx, videoRemoved, { aggregateId: video.id, data: { ...toVideo(video), topicId, current }, cause });
