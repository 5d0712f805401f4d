import { videoFailed, videoProcessed } from '@lms/contracts/events/media';
import type { VideoWithState } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { appendEvent } from '@lms/events/append-event';

const toEvent = (topicId: string, video: VideoWithState) => ({ aggregateId: video.id, data: { ...video, topicId } });

export const appendVideoProcessed = (tx: Db, topicId: string, video: VideoWithState) =>
  appendEvent(tx, videoProcessed, toEvent(topicId, video));

export const appendVideoFailed = (tx: Db, topicId: string, video: VideoWithState) =>
  appendEvent(tx, videoFailed, toEvent(topicId, video));
