import { type Static, Type } from '@sinclair/typebox';
import { Id } from '../ids.ts';
import { DocumentEntry, TopicVideo, Video } from '../internal/content.ts';
import { Nullable } from '../text.ts';
import { defineEvent } from './definition.ts';

export const TopicDocument = Type.Object({ ...DocumentEntry.properties, topicId: Id });
export type TopicDocument = Static<typeof TopicDocument>;
export const TopicVideoState = Type.Object({ ...Video.properties, topicId: Id });
export type TopicVideoState = Static<typeof TopicVideoState>;

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
/** The subjects of both removals. */
export const removalEvents = 'lms.media.*.removed.v1';
