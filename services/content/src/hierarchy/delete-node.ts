import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { appendNodeEvents } from './events.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tree } from './tree-repository.ts';
import type { Target } from './update-node.ts';

const countsByKind = (count: (kind: Kind) => number) => ({
  grades: count('grade'),
  subjects: count('subject'),
  topics: count('topic'),
});

/** Counts what a delete would delete, without deleting anything. */
export async function countDeletion(db: Db, { kind, id, checkVersion }: Target) {
  checkVersion(await nodes(db).get(kind, id));
  const counts = await tree(db).countDescendants(id);
  return { id, deletedAt: null, deleted: countsByKind((of) => counts.find((count) => count.kind === of)?.total ?? 0) };
}

/** Soft-deletes a node and everything below it in one transaction. Their names can be used again at once. */
export async function deleteNode(db: Db, { kind, id, checkVersion }: Target, cause: Cause) {
  return db.transaction(async (tx) => {
    await nodes(tx).lockStructure();
    checkVersion(await nodes(tx).getForUpdate(kind, id));
    const removed = await tree(tx).softDelete(id, createId());
    const changes = removed.map((after) => ({
      before: { ...after, deletedAt: null, isActive: after.wasActive === true },
      after,
    }));
    await appendNodeEvents(tx, 'deleted', changes, cause);
    const deletedAt = removed.find((node) => node.id === id)?.deletedAt?.toISOString() ?? null;
    const below = removed.filter((node) => node.id !== id);
    const deleted = countsByKind((of) => below.filter((node) => node.kind === of).length);
    return { id, deletedAt, deleted };
  });
}
