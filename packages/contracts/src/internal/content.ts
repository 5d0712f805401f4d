import { type Static, Type } from '@sinclair/typebox';
import { Success } from '../envelope.ts';
import { Id } from '../ids.ts';
import { Nullable, OneOf, Timestamp } from '../text.ts';

export const accessReasons = ['AUTHENTICATION_REQUIRED', 'ENROLLMENT_REQUIRED'] as const;
export const Access = Type.Object({ granted: Type.Boolean(), reason: Nullable(OneOf(accessReasons)) });
export type Access = Static<typeof Access>;

/** `GET` returns a subject, or 404 if it is unknown or purged. `isLive`: it and its ancestors are active and not deleted. */
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

/** `GET` returns a subject's live topics, ordered by `position`. */
export const subjectTopicsPath = (id: string) => `/internal/subjects/${id}/topics`;
export const InternalTopicOutline = Type.Object({ id: Id, name: Type.String(), position: Type.Integer() });
export const InternalTopicsResponse = Success(Type.Array(InternalTopicOutline));

/** `GET` returns the caller's access to a topic's protected content, or 404 if the caller cannot see the topic. */
export const topicAccessPath = (id: string) => `/internal/topics/${id}/access`;
/** The same, without the cache of granted access. */
export const freshTopicAccessPath = (id: string) => `${topicAccessPath(id)}?fresh=true`;
export const TopicAccess = Type.Object({ topicId: Id, subjectId: Id, read: Access, manage: Type.Boolean() });
export type TopicAccess = Static<typeof TopicAccess>;
export const TopicAccessResponse = Success(TopicAccess);

export const Video = Type.Object({
  id: Id,
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer(),
  checksum: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  uploadedAt: Timestamp(),
});
export type Video = Static<typeof Video>;

/** `PUT` sets a topic's video and returns the previous one; `DELETE` removes it. */
export const topicVideoPath = (id: string) => `/internal/topics/${id}/video`;
export const TopicVideo = Type.Object({ video: Video, videoUrl: Type.String() });
export type TopicVideo = Static<typeof TopicVideo>;
export const TopicVideoResponse = Success(Type.Object({ topicId: Id, previous: Nullable(TopicVideo) }));

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
