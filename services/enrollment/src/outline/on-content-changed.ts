import { gradeEvents, type LevelState, levelEvents, subjectEvents, topicEvents } from '@lms/contracts/events/content';
import { type Listener, on } from '@lms/events/consume';
import { type OutlineNode, outline } from './repository.ts';
import type { NodeKind } from './table.ts';

type Told = Pick<LevelState, 'id' | 'name' | 'position' | 'isActive' | 'deletedAt'>;

function nodeOf(kind: NodeKind, parentId: string | null, told: Told, version: number): OutlineNode {
  const { id, name, position, isActive, deletedAt } = told;
  const isDeleted = deletedAt !== null;
  return { id, kind, parentId, name, position, isLive: isActive && !isDeleted, isDeleted, version };
}

/** Keeps the copy of the content tree current. */
export const onContentChanged: Listener[] = [
  ...Object.values(levelEvents).map((event) =>
    on(event, (tx, { data, version }) => outline(tx).hear(nodeOf('level', null, data, version))),
  ),
  ...Object.values(gradeEvents).map((event) =>
    on(event, (tx, { data, version }) => outline(tx).hear(nodeOf('grade', data.educationLevelId, data, version))),
  ),
  ...Object.values(subjectEvents).map((event) =>
    on(event, (tx, { data, version }) => outline(tx).hear(nodeOf('subject', data.gradeId, data, version))),
  ),
  ...Object.values(topicEvents).map((event) =>
    on(event, (tx, { data, version }) => outline(tx).hear(nodeOf('topic', data.subjectId, data, version))),
  ),
];
