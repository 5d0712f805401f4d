import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import { NotDeleted, notFound, withConflict } from './errors.ts';
import { appendNodeEvents } from './events.ts';
import { getParent } from './get-parent.ts';
import { kinds } from './kinds.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tree } from './tree-repository.ts';

/**
 * Restores exactly the nodes that the delete of this node deleted, each with its former `isActive`.
 * @throws NOT_FOUND for the node or its parent; INVALID_STATE if it is not deleted; CONFLICT if a sibling has
 * the name, or another node has one of the external ids
 */
export async function restoreNode(db: Db, kind: Kind, id: string, cause: Cause) {
  return withConflict(kind, (setUnique) =>
    db.transaction(async (tx) => {
      await nodes(tx).lockStructure();
      const node = await nodes(tx).findWithDeleted(kind, id);
      if (!node) throw new notFound[kind]();
      const { deletionId, deletedAt } = node;
      if (deletionId === null || deletedAt === null)
        throw new NotDeleted({ details: { current: node.isActive ? 'ACTIVE' : 'INACTIVE' } });
      await getParent(tx, kind, node.parentId);
      setUnique(node);
      const taken = await tree(tx).findTakenExternalId(deletionId);
      if (taken) throw conflict({ resource: kinds[taken.kind].resource, field: 'externalId', value: taken.externalId });
      const restored = await tree(tx).restoreDeletion(deletionId);
      await tree(tx).refreshIsLive(id);
      const changes = restored.map((after) => ({ before: { ...after, deletedAt, isActive: false }, after }));
      await appendNodeEvents(tx, 'restored', changes, cause);
      return nodes(tx).getWithDeleted(kind, id);
    }),
  );
}
