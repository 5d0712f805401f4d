import { Id } from '@lms/contracts/ids';
import { Access, DocumentEntry } from '@lms/contracts/internal/content';
import { Nullable, OneOf, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import type { Kind } from './table.ts';

export const gradeLevels = ['primary', 'secondary', 'higher'] as const;

const node = {
  id: Id,
  name: Type.String(),
  description: Type.String(),
  position: Type.Integer({ description: 'Where it stands among its siblings' }),
  isActive: Type.Boolean(),
  deletedAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
};
const pictured = { ...node, imageUrl: Nullable(Type.String()) };

export const Level = Type.Object(pictured, { title: 'EducationLevel' });
export const Grade = Type.Object({ ...pictured, level: OneOf(gradeLevels), educationLevelId: Id }, { title: 'Grade' });
export const Subject = Type.Object(
  {
    ...pictured,
    gradeId: Id,
    mentorId: Nullable(Type.String({ description: "The mentor's identity-provider user id" })),
    mentorEmail: Nullable(Type.String({ description: 'Shown to administrators and to the mentor; null for others' })),
  },
  { title: 'Subject' },
);
export const Topic = Type.Object(
  {
    ...node,
    subjectId: Id,
    content: Nullable(Type.String({ description: 'Null without access' })),
    videoUrl: Nullable(Type.String({ description: 'Null without access, and when there is no video' })),
    documents: Type.Array(DocumentEntry, { description: 'Empty without access' }),
    hasVideo: Type.Boolean(),
    documentCount: Type.Integer(),
    access: Access,
  },
  { title: 'Topic' },
);

export const shapes = { level: Level, grade: Grade, subject: Subject, topic: Topic };
export type AnyNode = Static<(typeof shapes)[Kind]>;
/** One shape for a route that is made for any kind. */
export const shapeOf = (kind: Kind) => Type.Unsafe<AnyNode>(shapes[kind]);

const TreeSubject = Type.Object({ id: Id, name: Type.String(), topicCount: Type.Integer() });
const TreeGrade = Type.Object({
  id: Id,
  name: Type.String(),
  level: OneOf(gradeLevels),
  subjectCount: Type.Integer(),
  subjects: Type.Array(TreeSubject),
});
export const TreeLevel = Type.Object(
  { id: Id, name: Type.String(), gradeCount: Type.Integer(), grades: Type.Array(TreeGrade) },
  { title: 'TreeLevel' },
);
