import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { NodeFields } from './create-node.ts';
import { withConflict } from './errors.ts';
import { appendNodeEvents } from './events.ts';
import { getParent } from './get-parent.ts';
import { type Node, nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tree } from './tree-repository.ts';

export interface Target {
  kind: Kind;
  id: string;
  /** Throws PRECONDITION_FAILED if the node has another version than `If-Match` requires. */
  checkVersion: (node: Node) => void;
}

export type NodeUpdate = Partial<NodeFields>;

/**
 * Updates a node. A new `parentId` moves it, with everything below it, to the last position under the new parent.
 * @throws NOT_FOUND for the node or the new parent; CONFLICT if the name or the external id is in use
 */
export async function updateNode(db: Db, { kind, id, checkVersion }: Target, update: NodeUpdate, cause: Cause) {
  const isStructural = update.parentId !== undefined || update.isActive !== undefined;
  return withConflict(kind, (setUnique) =>
    db.transaction(async (tx) => {
      const repository = nodes(tx);
      await (isStructural ? repository.lockStructure() : repository.lockStructureShared());
      const before = await repository.getForUpdate(kind, id);
      checkVersion(before);
      setUnique({ name: before.name, ...update });
      const row = await repository.update(id, { ...update, ...(isStructural && (await derive(tx, before, update))) });
      if (row.isLive !== before.isLive) await tree(tx).refreshIsLive(id);
      const after = { ...row, content: update.content ?? before.content };
      await appendNodeEvents(tx, 'updated', [{ before, after }], cause);
      return after;
    }),
  );
}

/** The columns that depend on the parent and on `isActive`. */
async function derive(
  tx: Db,
  before: Node,
  { parentId = before.parentId, isActive = before.isActive, position }: NodeUpdate,
) {
  const parent = await getParent(tx, before.kind, parentId);
  const moves = parentId !== before.parentId && position === undefined;
  return {
    isLive: isActive && (parent?.isLive ?? true),
    ...(moves && { position: await nodes(tx).nextPosition(parentId) }),
  };
}
