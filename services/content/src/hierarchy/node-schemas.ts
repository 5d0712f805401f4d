import { gradeLevels } from '@lms/contracts/curriculum';
import { Id } from '@lms/contracts/ids';
import { Access, DocumentEntry, VideoWithState } from '@lms/contracts/internal/content';
import { Nullable, OneOf, Timestamp } from '@lms/contracts/text';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { Kind } from './table.ts';

/** The maximum length of a relation list; the paginated lists return all children. */
export const maxRelated = 100;

const node = {
  id: Id,
  externalId: Nullable(Type.String({ description: 'An id that a client has chosen, by which imports find the item' })),
  name: Type.String(),
  description: Type.String(),
  position: Type.Integer({ description: 'The position among the siblings' }),
  isActive: Type.Boolean(),
  deletedAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
};
const nodeWithImage = { ...node, imageUrl: Nullable(Type.String()) };

export const Level = Type.Object(nodeWithImage, { title: 'EducationLevel' });
export const Grade = Type.Object(
  { ...nodeWithImage, level: OneOf(gradeLevels), educationLevelId: Id },
  { title: 'Grade' },
);
export const Subject = Type.Object(
  {
    ...nodeWithImage,
    gradeId: Id,
    mentorId: Nullable(Type.String({ description: "The mentor's identity-provider user id" })),
    mentorEmail: Nullable(
      Type.String({ description: 'Visible to administrators and the mentor; null for other callers' }),
    ),
  },
  { title: 'Subject' },
);
export const Topic = Type.Object(
  {
    ...node,
    subjectId: Id,
    content: Nullable(Type.String({ description: 'Null without access, and where a list omits it' })),
    contentOmitted: Type.Optional(
      Type.Boolean({
        description:
          'True in a list whose texts together exceed 1 MiB, for this topic and all that follow on the page: read them one by one',
      }),
    ),
    video: Nullable(VideoWithState),
    videoUrl: Nullable(Type.String({ description: 'Null without access, or if the topic has no video' })),
    documents: Type.Array(DocumentEntry, { description: 'Empty without access' }),
    hasVideo: Type.Boolean(),
    documentCount: Type.Integer(),
    access: Access,
  },
  { title: 'Topic' },
);

export const nodeSchemas = { level: Level, grade: Grade, subject: Subject, topic: Topic };
export type AnyNode = Static<(typeof nodeSchemas)[Kind]>;
export type AnyOutline = Static<typeof Level | typeof Grade | typeof Subject | typeof TopicOutline>;
/** Added to the descriptions of lists of topics. */
export const contentLimit = (kind: Kind) =>
  kind === 'topic'
    ? ' `content` is included while the texts of a page together stay within 1 MiB; beyond that it is null and `contentOmitted` is true.'
    : '';

/** The schema of one kind, typed as any kind for routes that are registered in a loop over the kinds. */
export const nodeSchema = (kind: Kind) => Type.Unsafe<AnyNode>(nodeSchemas[kind]);

/** The schemas of the routes of each kind are created once, because their compiled validators and serializers are reused. */
export function ofEachKind<T>(create: (kind: Kind) => T): (kind: Kind) => T {
  const created = new Map<Kind, T>();
  return (kind) => {
    const known = created.get(kind) ?? create(kind);
    created.set(kind, known);
    return known;
  };
}

const TopicOutline = Type.Omit(Topic, ['content', 'contentOmitted', 'video', 'videoUrl', 'documents'], {
  title: 'TopicOutline',
});

const relation = <T extends TSchema>(child: T) =>
  Type.Optional(
    Type.Array(child, {
      maxItems: maxRelated,
      description: 'Present if requested with `include`: the first items by `position`',
    }),
  );
const schemasWithRelation = {
  level: Type.Object({ ...Level.properties, grades: relation(Grade) }, { title: 'EducationLevelWithGrades' }),
  grade: Type.Object({ ...Grade.properties, subjects: relation(Subject) }, { title: 'GradeWithSubjects' }),
  subject: Type.Object({ ...Subject.properties, topics: relation(TopicOutline) }, { title: 'SubjectWithTopics' }),
  topic: Topic,
};
export const nodeWithRelationSchema = (kind: Kind) =>
  Type.Unsafe<Static<(typeof schemasWithRelation)[Kind]>>(schemasWithRelation[kind]);

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
