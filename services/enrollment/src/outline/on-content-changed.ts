import { gradeEvents, type LevelState, levelEvents, subjectEvents, topicEvents } from '@lms/contracts/events/content';
import type { Db } from '@lms/database/connect';
import { type EventHandler, on } from '@lms/events/event-handler';
import { outline } from './repository.ts';
import type { NodeKind } from './table.ts';

/** What other features do when a subject is deleted or restored, in the transaction of the event. */
export interface SubjectHandlers {
  deleted: (tx: Db, subjectId: string) => Promise<unknown>;
  restored: (tx: Db, subjectId: string) => Promise<unknown>;
}

/** Updates the local copy of the content hierarchy, except its subjects. */
export const outlineHandlers: EventHandler[] = [
  ...Object.values(levelEvents).map((event) =>
    on(event, (tx, { data, version }) => upsertNode(tx, 'level', null, data, version)),
  ),
  ...Object.values(gradeEvents).map((event) =>
    on(event, (tx, { data, version }) => upsertNode(tx, 'grade', data.educationLevelId, data, version)),
  ),
  ...Object.values(topicEvents).map((event) =>
    on(event, (tx, { data, version }) => upsertNode(tx, 'topic', data.subjectId, data, version)),
  ),
];

/** Updates the local copy of subjects. */
export const onSubjectChanged = (subjects: SubjectHandlers): EventHandler[] =>
  Object.values(subjectEvents).map((event) =>
    on(event, async (tx, { data, version }) => {
      const change = await upsertNode(tx, 'subject', data.gradeId, data, version);
      if (change !== undefined) await subjects[change](tx, data.id);
    }),
  );

type NodeState = Pick<LevelState, 'id' | 'name' | 'position' | 'isActive' | 'deletedAt'>;

/**
 * Ignores a state that is not newer than the stored one.
 * @returns whether this event deleted or restored the node; undefined if neither
 */
async function upsertNode(tx: Db, kind: NodeKind, parentId: string | null, state: NodeState, version: number) {
  const { id, name, position, isActive, deletedAt } = state;
  const before = await outline(tx).lock(id);
  if (before && before.version >= version) return undefined;

  const isDeleted = deletedAt !== null;
  const isLive = isActive && !isDeleted;
  await outline(tx).upsert({ id, kind, parentId, name, position, version, isDeleted, isLive });
  if (isDeleted === (before?.isDeleted ?? false)) return undefined;
  return isDeleted ? 'deleted' : 'restored';
}
