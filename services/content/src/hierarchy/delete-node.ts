import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tell } from './tell.ts';
import { tree } from './tree-repository.ts';
import type { Target } from './update-node.ts';

const tally = (of: (kind: Kind) => number) => ({ grades: of('grade'), subjects: of('subject'), topics: of('topic') });

/** Tells what a delete would take with it. */
export async function countDeletion(db: Db, { kind, id, expect }: Target) {
  expect(await nodes(db).get(kind, id));
  const counts = await tree(db).countBelow(id);
  return { id, deletedAt: null, deleted: tally((of) => counts.find((count) => count.kind === of)?.total ?? 0) };
}

/** Deletes a node and everything below it, softly and in one transaction; their names are free again. */
export async function deleteNode(db: Db, { kind, id, expect }: Target, cause: Cause) {
  return db.transaction(async (tx) => {
    await nodes(tx).changeStructure();
    expect(await nodes(tx).getForUpdate(kind, id));
    const deletedAt = new Date();
    const removed = await tree(tx).remove(id, createId(), deletedAt);
    const changes = removed.map((after) => ({
      before: { ...after, deletedAt: null, isActive: after.wasActive === true },
      after,
    }));
    await tell(tx, 'deleted', changes, cause);
    const below = removed.filter((node) => node.id !== id);
    const deleted = tally((of) => below.filter((node) => node.kind === of).length);
    return { id, deletedAt: deletedAt.toISOString(), deleted };
  });
}
