import { type Static, Type } from '@sinclair/typebox';
import { Id } from '../ids.ts';
import { DocumentEntry, Video } from '../internal/content.ts';
import { defineEvent } from './definition.ts';

export const TopicDocument = Type.Object({ ...DocumentEntry.properties, topicId: Id });
export type TopicDocument = Static<typeof TopicDocument>;
export const TopicVideoState = Type.Object({ ...Video.properties, topicId: Id });
export type TopicVideoState = Static<typeof TopicVideoState>;

export const documentUploaded = defineEvent('media.document.uploaded', TopicDocument);
export const documentRemoved = defineEvent('media.document.removed', TopicDocument);
export const videoUploaded = defineEvent('media.video.uploaded', TopicVideoState);
export const videoRemoved = defineEvent('media.video.removed', TopicVideoState);
