import { videoFailed, videoProcessed, videoProgressed } from '@lms/contracts/events/media';
import type { VideoWithState } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';

const toEvent = (topicId: string, video: VideoWithState) => ({ aggregateId: video.id, data: { ...video, topicId } });

export const appendVideoProgressed = (tx: Db, topicId: string, video: VideoWithState, cause: Cause = {}) =>
  appendEvent(tx, videoProgressed, { ...toEvent(topicId, video), cause });

export const appendVideoProcessed = (tx: Db, topicId: string, video: VideoWithState) =>
  appendEvent(tx, videoProcessed, toEvent(topicId, video));

export const appendVideoFailed = (tx: Db, topicId: string, video: VideoWithState) =>
  appendEvent(tx, videoFailed, toEvent(topicId, video));
