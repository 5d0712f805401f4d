import { captionRemoved, captionUploaded } from '@lms/contracts/events/media';
import type { VideoWithState } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { toTrack } from './presenter.ts';
import type { CaptionWithoutText } from './table.ts';

export interface CaptionChange {
  topicId: string;
  caption: CaptionWithoutText;
  /** The video after the change. */
  video: VideoWithState;
}

// The events of a video and of its captions share a version, so that consumers recognize the latest state.
const toEvent = ({ topicId, caption, video }: CaptionChange, cause: Cause) => ({
  aggregateId: video.id,
  data: { ...toTrack(caption), topicId, video },
  cause,
});

export const appendCaptionUploaded = (tx: Db, change: CaptionChange, cause: Cause) =>
  appendEvent(tx, captionUploaded, toEvent(change, cause));

export const appendCaptionRemoved = (tx: Db, change: CaptionChange, cause: Cause) =>
  appendEvent(tx, captionRemoved, toEvent(change, cause));
