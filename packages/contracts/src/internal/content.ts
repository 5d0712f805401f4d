import { type Static, Type } from '@sinclair/typebox';
import { Success } from '../envelope.ts';
import { Id } from '../ids.ts';
import { Nullable, OneOf, Timestamp } from '../text.ts';

export const accessReasons = ['AUTHENTICATION_REQUIRED', 'ENROLLMENT_REQUIRED'] as const;
export const Access = Type.Object({ granted: Type.Boolean(), reason: Nullable(OneOf(accessReasons)) });
export type Access = Static<typeof Access>;

/** `GET`: a subject as enrollment needs it; 404 when unknown or purged. `isLive`: it and all its ancestors are active and undeleted. */
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

/** `GET`: a subject's live topics in `position` order, for progress. */
export const subjectTopicsPath = (id: string) => `/internal/subjects/${id}/topics`;
export const InternalTopicOutline = Type.Object({ id: Id, name: Type.String(), position: Type.Integer() });
export const InternalTopicsResponse = Success(Type.Array(InternalTopicOutline));

/** `GET`: what the caller may do with a topic's substance; 404 when the caller cannot see the topic at all. */
export const topicAccessPath = (id: string) => `/internal/topics/${id}/access`;
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

/** `PUT` sets a topic's video and answers what it was before; `DELETE` takes it off. */
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
/** `DELETE` takes an entry off; 404 when it is another topic's. */
export const topicDocumentPath = (id: string, documentId: string) => `/internal/topics/${id}/documents/${documentId}`;
export const TopicDocumentResponse = Success(DocumentEntry);
