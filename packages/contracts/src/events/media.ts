import { type Static, Type } from '@sinclair/typebox';
import { Id } from '../ids.ts';
import { CaptionTrack, DocumentEntry, TopicVideo, Video, VideoWithState } from '../internal/content.ts';
import { Nullable } from '../text.ts';
import { defineEvent } from './definition.ts';

export const TopicDocument = Type.Object({ ...DocumentEntry.properties, topicId: Id });
export type TopicDocument = Static<typeof TopicDocument>;
export const TopicVideoState = Type.Object({ ...Video.properties, topicId: Id });
export type TopicVideoState = Static<typeof TopicVideoState>;

/** A video whose state has changed. */
export const ChangedVideo = Type.Object({ ...VideoWithState.properties, topicId: Id });
export type ChangedVideo = Static<typeof ChangedVideo>;

/** A caption track, and the video after the change. Its events are versioned with those of the video. */
export const CaptionState = Type.Object({ ...CaptionTrack.properties, topicId: Id, video: VideoWithState });
export type CaptionState = Static<typeof CaptionState>;

/** `current`: the video of the topic from now on, if there is one. */
export const RemovedVideo = Type.Object({
  ...TopicVideoState.properties,
  current: Type.Optional(Nullable(TopicVideo)),
});
export type RemovedVideo = Static<typeof RemovedVideo>;

export const documentUploaded = defineEvent('media.document.uploaded', TopicDocument);
export const documentRemoved = defineEvent('media.document.removed', TopicDocument);
export const videoUploaded = defineEvent('media.video.uploaded', TopicVideoState);
export const videoRemoved = defineEvent('media.video.removed', RemovedVideo);
/** The processing of a video waits for a worker, or has begun. */
export const videoProgressed = defineEvent('media.video.progressed', ChangedVideo);
/** The processing of a video ended: it can be streamed, or it could not be processed. */
export const videoProcessed = defineEvent('media.video.processed', ChangedVideo);
export const videoFailed = defineEvent('media.video.failed', ChangedVideo);
export const captionUploaded = defineEvent('media.caption.uploaded', CaptionState);
/** The tracks of a video that is removed or replaced have no events of their own. */
export const captionRemoved = defineEvent('media.caption.removed', CaptionState);
/** The subjects of all events of media. */
export const mediaEvents = 'lms.media.*.*.v1';
/** The subjects of both removals. */
export const removalEvents = 'lms.media.*.removed.v1';
