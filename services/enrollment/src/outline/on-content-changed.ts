import { gradeEvents, type LevelState, levelEvents, subjectEvents, topicEvents } from '@lms/contracts/events/content';
import type { Db } from '@lms/database/connect';
import { type EventHandler, on, onMany } from '@lms/events/event-handler';
import { type NodeValues, outline } from './repository.ts';
import type { NodeKind } from './table.ts';

/** What other features do when a subject is deleted or restored, in the transaction of the event. */
export interface SubjectHandlers {
  deleted: (tx: Db, subjectId: string) => Promise<unknown>;
  restored: (tx: Db, subjectId: string) => Promise<unknown>;
}

/** Updates the local copy of the content hierarchy, except its subjects. */
export const outlineHandlers: EventHandler[] = [
  ...onMany(Object.values(levelEvents), (tx, events) =>
    outline(tx).upsertAll(events.map(({ data, version }) => toNode('level', null, data, version))),
  ),
  ...onMany(Object.values(gradeEvents), (tx, events) =>
    outline(tx).upsertAll(events.map(({ data, version }) => toNode('grade', data.educationLevelId, data, version))),
  ),
  ...onMany(Object.values(topicEvents), (tx, events) =>
    outline(tx).upsertAll(events.map(({ data, version }) => toNode('topic', data.subjectId, data, version))),
  ),
];

/** Updates the local copy of subjects. */
export const onSubjectChanged = (subjects: SubjectHandlers): EventHandler[] =>
  Object.values(subjectEvents).map((event) =>
    on(event, async (tx, { data, version }) => {
      const change = await upsertSubject(tx, toNode('subject', data.gradeId, data, version));
      if (change !== undefined) await subjects[change](tx, data.id);
    }),
  );

type NodeState = Pick<LevelState, 'id' | 'name' | 'position' | 'isActive' | 'deletedAt'>;

function toNode(kind: NodeKind, parentId: string | null, state: NodeState, version: number): NodeValues {
  const { id, name, position, isActive, deletedAt } = state;
  const isDeleted = deletedAt !== null;
  return { id, kind, parentId, name, position, version, isDeleted, isLive: isActive && !isDeleted };
}

/**
 * Ignores a state that is not newer than the stored one.
 * @returns whether this event deleted or restored the subject; undefined if neither
 */
async function upsertSubject(tx: Db, subject: NodeValues) {
  const before = await outline(tx).lock(subject.id);
  if (before && before.version >= subject.version) return undefined;
  await outline(tx).upsertAll([subject]);
  if (subject.isDeleted === (before?.isDeleted ?? false)) return undefined;
  return subject.isDeleted ? 'deleted' : 'restored';
}
