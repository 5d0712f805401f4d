import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { NotDeleted, notFound, withNameConflict } from './errors.ts';
import { appendNodeEvents } from './events.ts';
import { isParentLive } from './get-parent.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tree } from './tree-repository.ts';

/**
 * Brings back exactly what the delete of a node took, each with its former `isActive`.
 * @throws NOT_FOUND for the node or its parent; INVALID_STATE when it is not deleted; CONFLICT when its name was taken
 */
export async function restoreNode(db: Db, kind: Kind, id: string, cause: Cause) {
  return withNameConflict(kind, (setName) =>
    db.transaction(async (tx) => {
      await nodes(tx).lockStructure();
      const node = await nodes(tx).findWithDeleted(kind, id);
      if (!node) throw new notFound[kind]();
      const { deletionId, deletedAt } = node;
      if (deletionId === null || deletedAt === null)
        throw new NotDeleted({ details: { current: node.isActive ? 'ACTIVE' : 'INACTIVE' } });
      await isParentLive(tx, kind, node.parentId);
      setName(node.name);
      const restored = await tree(tx).restoreDeletion(deletionId);
      await tree(tx).refreshIsLive(id);
      const changes = restored.map((after) => ({ before: { ...after, deletedAt, isActive: false }, after }));
      await appendNodeEvents(tx, 'restored', changes, cause);
      return nodes(tx).getWithDeleted(kind, id);
    }),
  );
}
