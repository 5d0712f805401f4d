import { type Static, Type } from '@sinclair/typebox';
import { Id } from '../ids.ts';
import { DocumentEntry, Video } from '../internal/content.ts';
import { Nullable, Timestamp } from '../text.ts';
import { defineEvent } from './definition.ts';

const node = {
  id: Id,
  /** Absent in events of releases without external ids. */
  externalId: Type.Optional(Nullable(Type.String())),
  name: Type.String(),
  description: Type.String(),
  position: Type.Integer(),
  isActive: Type.Boolean(),
  deletedAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
};
const pictured = { ...node, imageUrl: Nullable(Type.String()) };

export const LevelState = Type.Object(pictured);
export const GradeState = Type.Object({ ...pictured, level: Type.String(), educationLevelId: Id });
export const SubjectState = Type.Object({ ...pictured, gradeId: Id, mentorId: Nullable(Type.String()) });
/** A topic without its text, which only the content service has. */
export const TopicState = Type.Object({
  ...node,
  subjectId: Id,
  video: Nullable(Video),
  documents: Type.Array(DocumentEntry),
});
export type LevelState = Static<typeof LevelState>;
export type GradeState = Static<typeof GradeState>;
export type SubjectState = Static<typeof SubjectState>;
export type TopicState = Static<typeof TopicState>;

export const ImportState = Type.Object({
  id: Id,
  status: Type.String(),
  mode: Type.String(),
  dryRun: Type.Boolean(),
  fileName: Type.String(),
  percent: Type.Integer(),
  counts: Type.Record(Type.String(), Type.Integer()),
  issueCount: Type.Integer(),
  createdBy: Id,
  createdAt: Timestamp(),
  finishedAt: Nullable(Timestamp()),
});
/** The progress of an import of a curriculum; `progressed` at most every ten percent. */
export const importEvents = {
  created: defineEvent('content.import.created', ImportState),
  progressed: defineEvent('content.import.progressed', ImportState),
  completed: defineEvent('content.import.completed', ImportState),
  failed: defineEvent('content.import.failed', ImportState),
  cancelled: defineEvent('content.import.cancelled', ImportState),
};

const states = { level: LevelState, grade: GradeState, subject: SubjectState, topic: TopicState };
export type NodeKind = keyof typeof states;

const lifecycle = <K extends NodeKind>(kind: K) => {
  const state: (typeof states)[K] = states[kind];
  return {
    created: defineEvent(`content.${kind}.created`, state),
    updated: defineEvent(`content.${kind}.updated`, state),
    deleted: defineEvent(`content.${kind}.deleted`, state),
    restored: defineEvent(`content.${kind}.restored`, state),
    purged: defineEvent(`content.${kind}.purged`, state),
  };
};

export const levelEvents = lifecycle('level');
export const gradeEvents = lifecycle('grade');
export const subjectEvents = lifecycle('subject');
export const topicEvents = lifecycle('topic');

/** The NATS subject of all events that name a mentor. */
export const subjectEventsSubject = 'lms.content.subject.*.v1';
