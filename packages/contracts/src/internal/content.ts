import { type Static, Type } from '@sinclair/typebox';
import { Success } from '../envelope.ts';
import { Id } from '../ids.ts';
import { Nullable, OneOf, Timestamp } from '../text.ts';

export const accessReasons = ['AUTHENTICATION_REQUIRED', 'ENROLLMENT_REQUIRED'] as const;
export const Access = Type.Object({ granted: Type.Boolean(), reason: Nullable(OneOf(accessReasons)) });
export type Access = Static<typeof Access>;

/**
 * `GET` returns a subject, or 404 if it is unknown or purged, or deleted and the caller is no ADMIN. `isLive`: it and its
 * ancestors are active and not deleted.
 */
export const subjectPath = (id: string) => `/internal/subjects/${id}`;
export const InternalSubject = Type.Object({
  id: Id,
  name: Type.String(),
  gradeId: Id,
  mentorId: Nullable(Type.String({ description: "The mentor's identity-provider user id" })),
  isLive: Type.Boolean(),
});
export type InternalSubject = Static<typeof InternalSubject>;
export const InternalSubjectResponse = Success(InternalSubject);

/** `POST` by an ADMIN finds subjects by id or external id, in the order of the request; null for those that are unknown or purged. */
export const subjectLookupPath = '/internal/subjects/lookup';
export const maxSubjectLookup = 500;
export const SubjectLookup = Type.Object({
  ids: Type.Array(Type.String(), { maxItems: maxSubjectLookup }),
  externalIds: Type.Array(Type.String(), { maxItems: maxSubjectLookup }),
});
export const FoundSubject = Type.Pick(InternalSubject, ['id', 'name', 'gradeId', 'isLive']);
export type FoundSubject = Static<typeof FoundSubject>;
export const FoundSubjects = Type.Object({
  byId: Type.Array(Nullable(FoundSubject)),
  byExternalId: Type.Array(Nullable(FoundSubject)),
});
export const FoundSubjectsResponse = Success(FoundSubjects);

/** `GET` returns a subject's live topics, ordered by `position`. */
export const subjectTopicsPath = (id: string) => `/internal/subjects/${id}/topics`;
export const InternalTopicOutline = Type.Object({ id: Id, name: Type.String(), position: Type.Integer() });
export const InternalTopicsResponse = Success(Type.Array(InternalTopicOutline));

/** `GET` returns the caller's access to a topic's protected content, or 404 if the caller cannot see the topic. */
export const topicAccessPath = (id: string) => `/internal/topics/${id}/access`;
/** The same, without the cache of granted access. */
export const freshTopicAccessPath = (id: string) => `${topicAccessPath(id)}?fresh=true`;
export const TopicAccess = Type.Object({
  topicId: Id,
  subjectId: Id,
  /** With the end of the enrollment that grants the access. */
  read: Type.Object({ ...Access.properties, expiresAt: Type.Optional(Nullable(Timestamp())) }),
  manage: Type.Boolean(),
});
export type TopicAccess = Static<typeof TopicAccess>;
export const TopicAccessResponse = Success(TopicAccess);

export const videoStatuses = ['none', 'queued', 'processing', 'ready', 'failed'] as const;
export const captionKinds = ['captions', 'subtitles', 'descriptions', 'chapters'] as const;

export const CaptionTrack = Type.Object({
  language: Type.String({ description: 'A BCP 47 language tag' }),
  label: Type.String(),
  kind: OneOf(captionKinds),
  default: Type.Boolean({ description: 'True for at most one track of a video' }),
});
export type CaptionTrack = Static<typeof CaptionTrack>;

/** What is known about a video besides its file. It changes while the video is processed, and with its captions. */
export const VideoState = Type.Object({
  durationSeconds: Nullable(Type.Number()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  hasAudio: Nullable(Type.Boolean()),
  status: OneOf(videoStatuses, {
    description: 'The state of the processing; `none` where videos are not processed',
  }),
  renditions: Type.Array(
    Type.Object({ height: Type.Integer(), bandwidth: Type.Integer({ description: 'Bits per second, at most' }) }),
  ),
  captions: Type.Array(CaptionTrack),
});
export type VideoState = Static<typeof VideoState>;
/** The state of a video that is neither processed nor captioned. */
export const initialVideoState: VideoState = {
  durationSeconds: null,
  width: null,
  height: null,
  hasAudio: null,
  status: 'none',
  renditions: [],
  captions: [],
};

const videoFile = {
  id: Id,
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer(),
  checksum: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  uploadedAt: Timestamp(),
};
/** A video as it appears in responses. */
export const VideoWithState = Type.Object({ ...videoFile, ...VideoState.properties });
export type VideoWithState = Static<typeof VideoWithState>;
/** The state is absent in events and rows from the time before videos had one. */
export const Video = Type.Object({ ...videoFile, ...Type.Partial(VideoState).properties });
export type Video = Static<typeof Video>;

/** `PUT` sets a topic's video and returns the previous one; `DELETE` removes it. */
export const topicVideoPath = (id: string) => `/internal/topics/${id}/video`;
export const TopicVideo = Type.Object({
  video: Video,
  videoUrl: Type.String(),
  /** The version of the last event that `video` includes. */
  version: Type.Optional(Type.Integer()),
});
export type TopicVideo = Static<typeof TopicVideo>;
export const TopicVideoResponse = Success(Type.Object({ topicId: Id, previous: Nullable(TopicVideo) }));

/** `PUT` changes the state of a topic's current video; a state that is not newer, or of another video, changes nothing. */
export const topicVideoStatePath = (id: string) => `${topicVideoPath(id)}/state`;
export const TopicVideoChange = Type.Object({
  video: Video,
  version: Type.Integer(),
  /** Not caused by the caller, whose request only found that the topic did not show it yet. */
  isBackground: Type.Optional(Type.Boolean()),
});
export type TopicVideoChange = Static<typeof TopicVideoChange>;
export const TopicVideoChangeResponse = Success(Type.Object({ topicId: Id, changed: Type.Boolean() }));

export const DocumentEntry = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  key: Type.String(),
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer(),
  checksum: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  url: Type.String(),
  uploadedBy: Id,
  uploadedAt: Timestamp(),
});
export type DocumentEntry = Static<typeof DocumentEntry>;

/** `POST` appends an entry to a topic's `documents`. */
export const topicDocumentsPath = (id: string) => `/internal/topics/${id}/documents`;
/** `DELETE` removes an entry, or returns 404 if it belongs to another topic. */
export const topicDocumentPath = (id: string, documentId: string) => `/internal/topics/${id}/documents/${documentId}`;
export const TopicDocumentResponse = Success(DocumentEntry);
